import { createHash } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Access, Plant } from "../../mod.ts";
import { digest } from "../contract/stores.ts";
import type { Holder, Shop } from "./state.ts";

const TAGS = ["fern", "vine", "tree", "Fern", "蘭", "__proto__", "a,b"];

const NAMES = [
  "Monstera deliciosa",
  "Rosa canina",
  'Tillandsia "ionantha" \u{1F33F}\n',
  "Équisetum\u2028hyemale",
  "constructor",
  "__proto__",
  "\\u0041\u0001\u007f",
  "e\u0301/é",
];

/** `count` plants: their names and tags repeat, and some have no tag. */
export function makePlants(count: number, edition = 0): Plant[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `${NAMES[index % NAMES.length]}${
      index % 3 === 0 ? "" : ` ${edition}.${index}`
    }`;
    if (index % 5 === 4) return { name };
    return { name, tag: TAGS[index % TAGS.length]! };
  });
}

/** The users, with names that trip up what takes them for something else. */
export const USERS: ReadonlyMap<string, Access> = new Map<string, Access>([
  ["curator", "all"],
  ["second curator", "all"],
  ["visitor", {}],
  ["fern", { tags: ["fern"] }],
  ["roses", { names: ["Rosa canina", "Rosa canina"] }],
  ["mixed", { names: ["Monstera deliciosa"], tags: ["tree", "fern", "moss"] }],
  ["__proto__", { tags: ["__proto__"] }],
  ["constructor", { names: ["constructor", "__proto__"] }],
  ["蘭 \u{1F33F}", { tags: ["蘭"], names: [NAMES[2]!] }],
  ["toString", { tags: [], names: [] }],
]);

/** Tokens that are none of ours; names that every object knows are among them. */
export const STRANGERS: readonly string[] = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "demo-curator",
  "undefined",
  "0",
  "=",
  "x".repeat(2_000),
];

const PAST = Date.parse("2020-01-01"), FUTURE = Date.parse("2999-01-01");

/** What the server under test holds: made of a seed, so that its tokens are nobody's. */
export function makeShop(seed: number, plants: readonly Plant[]): Shop {
  const holders = new Map<string, Holder>();
  for (const user of USERS.keys()) {
    const make = (what: string) =>
      createHash("sha256").update(`${seed} ${user} ${what}`).digest("base64");
    holders.set(`${make("base64")}`, { user });
    holders.set(`a.b-c_d~${make("odd")}=`, { user, expires: FUTURE });
    holders.set(make("expired"), { user, expires: PAST });
  }
  return { plants, users: USERS, holders };
}

/** The tokens file of a shop. */
function writeUsers({ users, holders }: Shop): string {
  const records = Array.from(users, ([user, plants]) => {
    const tokens = Array.from(holders)
      .filter(([, holder]) => holder.user === user)
      .map(([token, { expires }]) => ({
        sha256: digest(token),
        ...expires !== undefined &&
          { expires: new Date(expires).toISOString() },
      }));
    return `${JSON.stringify(user)}: ${JSON.stringify({ plants, tokens })}`;
  });
  return `{\n${records.join(",\n")}\n}\n`;
}

/** Where the two files are. */
export interface Paths {
  readonly plants: string;
  readonly tokens: string;
}

/** Writes both files into a folder. */
export async function writeShop(
  folder: string,
  shop: Shop,
): Promise<Paths> {
  const paths = {
    plants: join(folder, "plants.json"),
    tokens: join(folder, "tokens.json"),
  };
  await writeFile(paths.plants, JSON.stringify(shop.plants));
  await writeFile(paths.tokens, writeUsers(shop));
  return paths;
}

/** Puts a file in the place of another at once. */
export async function swapFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.next`, text);
  await rename(`${path}.next`, path);
}
