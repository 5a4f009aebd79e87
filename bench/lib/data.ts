import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRandom } from "./stats.ts";

// Plants and users by a seed: the first hundred plants and the first three users
// are the same at every size, so that their answers are.

interface Plant {
  readonly name: string;
  readonly tag: string;
}

/** What a user may see, as a tokens file has it. */
export type Access = "all" | {
  readonly tags?: readonly string[];
  readonly names?: readonly string[];
};

/** Who sees everything, and who sees the commonest kinds: users by their numbers. */
export const CURATOR = 0, FLORIST = 1;

/** The 200 kinds of plants, the commonest first. */
const TAGS: readonly string[] = ["", "dwarf ", "wild ", "alpine ", "marsh "]
  .concat(["giant ", "climbing ", "hardy ", "desert ", "tropical "])
  .flatMap((prefix) =>
    ["flower", "fern", "tree", "vine", "shrub", "grass", "moss", "palm"]
      .concat(["orchid", "bulb", "herb", "rose", "lily", "ivy", "sedge"])
      .concat(["cactus", "conifer", "succulent", "bamboo", "bromeliad"])
      .map((kind) => `${prefix}${kind}`)
  );

/** Names in the manner of botany. */
const GENERA: readonly string[] = join3(
  ["Mon", "Ca", "Phil", "Aglo", "Heli", "Pe", "Sa", "Dra", "Phala", "Ra"],
  ["ste", "la", "oden", "ne", "anth", "ro", "ci", "nun", "the", "po"],
  ["ra", "us", "ia", "ma", "is", "um", "on", "ea", "ix", "a"],
);
const EPITHETS: readonly string[] = join3(
  ["deli", "grandi", "macro", "parvi", "alpi", "rubri", "nigri", "flavi"],
  ["cio", "flo", "phyl", "cau", "foli", "spi", "car", "ni"],
  ["sa", "ra", "lum", "lis", "us", "na", "pum", "tum", "ca", "data"],
);

function join3(...parts: readonly string[][]): string[] {
  return parts.reduce((starts, ends) =>
    starts.flatMap((start) => ends.map((end) => start + end))
  );
}

function pick<T>(random: () => number, values: readonly T[]): T {
  return values[random() * values.length | 0]!;
}

function makePlants(count: number): Plant[] {
  const random = createRandom(4);
  return Array.from({ length: count }, () => ({
    name: `${pick(random, GENERA)} ${pick(random, EPITHETS)}`,
    // Kinds are as uneven as in life: a quarter of all plants is of the first.
    tag: TAGS[random() ** 4 * TAGS.length | 0]!,
  }));
}

/** The users' access by their numbers: one sees all, the rest a few tags or names. */
function makeUsers(count: number, plants: readonly Plant[]): Access[] {
  const random = createRandom(5);
  const few = <T>(
    get: () => T,
  ): T[] => [...new Set(Array.from({ length: 1 + random() * 5 | 0 }, get))];
  const name = () => pick(random, plants).name;
  return Array.from({ length: count }, (_, user): Access => {
    if (user === CURATOR) return "all";
    if (user === FLORIST) return { tags: TAGS.slice(0, 4) };
    if (user === 2) {
      return { names: plants.slice(0, 3).map(({ name }) => name) };
    }
    return user % 2 === 0
      ? { names: few(name) }
      : { tags: few(() => pick(random, TAGS)) };
  });
}

function encodeTokens(users: readonly Access[]): string {
  const digest = (token: string) =>
    createHash("sha256").update(token).digest("hex");
  const records = users.map((plants, user) =>
    `"user-${user}":${
      JSON.stringify({ plants, tokens: [{ sha256: digest(`token-${user}`) }] })
    }`
  );
  return `{${records.join(",\n")}}`;
}

/** The files of plants and users, each written when it is first asked for. */
export interface Data {
  /** A plants file. */
  plants(count: number): Promise<string>;
  /** The plants file with another first plant, for a reload. */
  changedPlants(count: number): Promise<string>;
  /** A tokens file for these many plants: users see plants that there are. */
  tokens(users: number, plants: number): Promise<string>;
  /** The plants and the access by token, as the peers read them. */
  shop(users: number, plants: number): Promise<string>;
}

/** Creates the files' maker, which writes into `folder`. */
export function createData(folder: string): Data {
  const files = new Map<string, Promise<string>>();
  function file(name: string, make: () => string): Promise<string> {
    const path = join(folder, name);
    const known = files.get(name) ??
      writeFile(path, make()).then(() => path);
    files.set(name, known);
    return known;
  }
  return {
    plants: (count) =>
      file(`plants-${count}.json`, () => JSON.stringify(makePlants(count))),
    changedPlants: (count) =>
      file(`plants-${count}-changed.json`, () => {
        const [first, ...rest] = makePlants(count);
        return JSON.stringify([{ ...first, name: "Nova planta" }, ...rest]);
      }),
    tokens: (users, plants) =>
      file(
        `tokens-${users}-${plants}.json`,
        () => encodeTokens(makeUsers(users, makePlants(plants))),
      ),
    shop: (users, count) =>
      file(`shop-${users}-${count}.json`, () => {
        const plants = makePlants(count);
        const access = makeUsers(users, plants).map((each, user) =>
          [`token-${user}`, each] as const
        );
        return JSON.stringify({ plants, users: Object.fromEntries(access) });
      }),
  };
}
