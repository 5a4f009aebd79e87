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

/** One minute ago in UTC+14, where the clocks are 14 hours ahead. */
const past = new Date(Date.now() + (14 * 60 - 1) * 60_000).toISOString()
  .replace("Z", "+14:00");
const today = new Date().toISOString().slice(0, 10);

/** A token with all characters that are allowed. */
const CHARACTERS = "a.b-c_d~e+f/g==";

/** A token with more characters than bcrypt compares. */
export const LONG: string = `test-long-${"x".repeat(90)}`;

const token = (token: string, expires: string) => ({ token, expires });

/** The users of a server under test, as in a tokens file. */
// deno-fmt-ignore: one or two lines for each user
export const USERS: Readonly<Record<string, UserRecord>> = {
  all: { plants: "all", tokens: ["test-all"] },
  none: { plants: {}, tokens: ["test-none"] },
  ferns: { plants: { tags: ["fern"] }, tokens: ["test-ferns"] },
  flowers: { plants: { tags: ["flower"] }, tokens: ["test-flowers"] },
  roses: { plants: { names: ["Rosa canina"] }, tokens: ["test-roses"] },
  // In another order than the catalog.
  mixed: { plants: { names: ["Rosa alba", "Equisetum hyemale", "Monstera deliciosa"],
    tags: ["moss", "flower"] }, tokens: ["test-mixed"] },
  odd: { plants: { names: [TILLANDSIA], tags: ["蘭"] }, tokens: ["test-odd"] },
  constructor: { plants: { tags: ["bonsai"] }, tokens: ["test-constructor"] },
  "tag-case": { plants: { tags: ["FERN", "Vine"] }, tokens: ["test-tag-case"] },
  "name-case": { plants: { names: ["rosa canina", "ROSA CANINA", " Rosa canina"] },
    tokens: ["test-name-case"] },
  part: { plants: { tags: ["fer", "lower"], names: ["Rosa"] }, tokens: ["test-part"] },
  longer: { plants: { tags: ["ferns"], names: ["Rosa canina L."] }, tokens: ["test-longer"] },
  swapped: { plants: { tags: ["Rosa canina"], names: ["fern"] }, tokens: ["test-swapped"] },
  characters: { plants: "all", tokens: [CHARACTERS] },
  long: { plants: { tags: ["fern"] }, tokens: [LONG] },
  valid: { plants: "all", tokens: [token("test-valid", "2999-01-01")] },
  "valid-time": { plants: "all", tokens: [token("test-valid-time", "2999-01-01T00:00:00+02:00")] },
  expired: { plants: "all", tokens: [token("test-expired", "2020-01-01"), "test-newer"] },
  "expired-time": { plants: "all", tokens: [token("test-expired-time", "2020-01-01T00:00:00Z")] },
  "expired-offset": { plants: "all", tokens: [token("test-expired-offset", past)] },
  today: { plants: "all", tokens: [token("test-today", today)] }, // expired at midnight UTC
  failing: { plants: "all", behavior: { fail: "100%" }, tokens: ["test-failing"] },
  renewed: { plants: { tags: ["fern"] }, tokens: [token("test-before", "1999-12-31"),
    "test-renewed", token("test-after", "1999-12-31")] },
};

/** The token of each user, by which the test cases know them. */
export const TOKENS: ReadonlyMap<string, string> = new Map([
  ...Object.keys(USERS).map((name) => [name, `test-${name}`] as const),
  ...[["characters", CHARACTERS], ["long", LONG]] as const,
]);

/** The pattern of the tokens. Some of them start with another one. */
export const TEST_TOKEN: RegExp = new RegExp(
  [...TOKENS.values()].sort().reverse()
    .map((token) => token.replace(/[.+]/g, "\\$&")).join("|"),
  "g",
);
