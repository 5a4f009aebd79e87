import type { Access } from "../core/domain/access.ts";
import type { Plant } from "../core/domain/plant.ts";
import type { UserRecord } from "../core/domain/user.ts";

const TILLANDSIA = 'Tillandsia "ionantha" \u{1F33F}\n';

export const MONSTERA: Plant = { name: "Monstera deliciosa", tag: "vine" };
export const FERN: Plant = { name: "Nephrolepis exaltata", tag: "fern" };
export const ROSE: Plant = { name: "Rosa canina", tag: "flower" };
export const HORSETAIL: Plant = { name: "Equisetum hyemale" };
export const SMALL_ROSE: Plant = { name: "Rosa canina", tag: "bonsai" };
export const ODD: Plant = { name: TILLANDSIA, tag: "蘭" };

/** The plants that a server under test lists, in catalog order. */
export const PLANTS: readonly Plant[] = [
  ...[MONSTERA, FERN, ROSE, HORSETAIL, SMALL_ROSE, ODD],
  { ...ODD }, // a separate plant
];

/** Returns the token of a user. */
function toToken(name: string): string {
  return name === "characters" ? "a.b-c_d~e+f/g==" : `test-${name}`;
}

/** Creates a user with one token. */
function user(
  name: string,
  plants: Access,
  expires?: string,
): readonly [string, UserRecord] {
  const token = toToken(name);
  return [name, { plants, tokens: [expires ? { token, expires } : token] }];
}

/** One minute ago in UTC+14, where the clocks are 14 hours ahead. */
const past = new Date(Date.now() + (14 * 60 - 1) * 60_000).toISOString()
  .replace("Z", "+14:00");
const today = new Date().toISOString().slice(0, 10);
const expired = (token: string) => ({ token, expires: "1999-12-31" });

/** The users of a server under test, as in a tokens file. */
export const USERS: Readonly<Record<string, UserRecord>> = Object.fromEntries([
  user("all", "all"),
  user("none", {}),
  user("ferns", { tags: ["fern"] }),
  user("flowers", { tags: ["flower"] }),
  user("roses", { names: ["Rosa canina"] }),
  user("mixed", {
    // In another order than the catalog.
    names: ["Rosa alba", "Equisetum hyemale", "Monstera deliciosa"],
    tags: ["flower", "moss"],
  }),
  user("odd", { names: [TILLANDSIA], tags: ["蘭"] }),
  user("constructor", { tags: ["bonsai"] }),
  user("tag-case", { tags: ["FERN", "Vine"] }),
  user("name-case", { names: ["rosa canina", "ROSA CANINA", " Rosa canina"] }),
  user("part", { tags: ["fer", "lower"], names: ["Rosa"] }),
  user("longer", { tags: ["ferns"], names: ["Rosa canina L."] }),
  user("swapped", { tags: ["Rosa canina"], names: ["fern"] }),
  user("characters", "all"),
  user("valid", "all", "2999-01-01"),
  user("valid-time", "all", "2999-01-01T00:00:00+02:00"),
  ["expired", {
    plants: "all",
    tokens: [
      { token: toToken("expired"), expires: "2020-01-01" },
      "test-newer",
    ],
  }],
  user("expired-time", "all", "2020-01-01T00:00:00Z"),
  user("expired-offset", "all", past),
  user("today", "all", today), // expired at midnight UTC
  ["failing", {
    plants: "all",
    behavior: { fail: "100%" },
    tokens: [toToken("failing")],
  }],
  ["renewed", {
    plants: { tags: ["fern"] },
    tokens: [
      expired("test-before"),
      toToken("renewed"),
      expired("test-after"),
    ],
  }],
]);

/** The token of each user. */
export const TOKENS: ReadonlyMap<string, string> = new Map(
  Object.keys(USERS).map((name) => [name, toToken(name)]),
);

/** The pattern of the tokens. Some of them start with another one. */
export const TEST_TOKEN: RegExp = new RegExp(
  [...TOKENS.values()].sort().reverse()
    .map((token) => token.replace(/[.+]/g, "\\$&")).join("|"),
  "g",
);
