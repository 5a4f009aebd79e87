import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Access } from "../src/domain/access.ts";
import type { Plant } from "../src/domain/plant.ts";

// Generates the same plants and users in each run. The first hundred plants and the
// first two users are the same at every size, so that their responses are, too.

/** The number of the user who sees everything, and of the one who sees the four most common tags. */
export const CURATOR = 0, FLORIST = 1;

/** 200 tags, the most common first. */
const TAGS = Array.from(
  { length: 200 },
  (_, index) => `vine ${index}`,
);

/** Creates plants; a quarter of them have the most common tag. */
export function createPlants(count: number): Plant[] {
  const random = createRandom();
  return Array.from({ length: count }, () => ({
    name: `Monstera ${random() * 1_000_000 | 0}`,
    tag: TAGS[random() ** 4 * TAGS.length | 0]!,
  }));
}

/** Creates the access for users: one sees everything, the others a few tags or names. */
export function createUsers(count: number, plants: readonly Plant[]): Access[] {
  const random = createRandom();
  const few = (pick: () => string) => [
    ...new Set(Array.from({ length: 1 + random() * 5 | 0 }, pick)),
  ];
  return Array.from({ length: count }, (_, user): Access => {
    if (user === CURATOR) return "all";
    if (user === FLORIST) return { tags: TAGS.slice(0, 4) };
    return user % 2 === 0
      ? { names: few(() => plants[random() * plants.length | 0]!.name) }
      : { tags: few(() => TAGS[random() * TAGS.length | 0]!) };
  });
}

/** Returns a generator of numbers from 0 to 1, both exclusive (MINSTD). */
function createRandom(): () => number {
  let state = 1;
  return () => (state = state * 48_271 % 0x7fffffff) / 0x7fffffff;
}

const folder = mkdtempSync(join(tmpdir(), "plant-store-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
process.on("SIGINT", () => process.exit(1));

/** Writes a temporary file, unless it exists, and returns its path. */
export function writeTemporary(name: string, create: () => unknown): string {
  const path = join(folder, name);
  if (!existsSync(path)) writeFileSync(path, JSON.stringify(create()));
  return path;
}

/** Returns the path of a plants file. */
export function writePlants(count: number): string {
  return writeTemporary(`plants-${count}.json`, () => createPlants(count));
}

/** Returns the path of a tokens file for this many users and plants. The token of user 1 is `token-1`. */
export function writeTokens(users: number, plants: number): string {
  return writeTemporary(`tokens-${users}-${plants}.json`, () => {
    const access = createUsers(users, createPlants(plants));
    return Object.fromEntries(access.map((plants, user) => {
      const hash = createHash("sha256").update(`token-${user}`);
      const tokens = [{ sha256: hash.digest("hex") }];
      return [`user-${user}`, { plants, tokens }];
    }));
  });
}
