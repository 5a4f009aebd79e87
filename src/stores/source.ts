import { resolve } from "node:path";
import { type EncodedPlants, encodePlants } from "../domain/encoded_plants.ts";
import type { Users } from "../domain/user.ts";
import { comparePlants } from "./compare.ts";
import { runInBetween } from "./in_between.ts";
import {
  type Content,
  parsePlants,
  parseTokens,
  readContent,
  StoreFileError,
} from "./read.ts";

/** A file that changed and is served now. */
export interface FileReloaded {
  /** The file, as it was named. */
  readonly path: string;
  /** What it holds: so many plants, or so many tokens of so many users. */
  readonly summary: string;
  /** How many plants or tokens it has that it had not before. */
  readonly added: number;
  /** How many plants or tokens it had before that it has no more. */
  readonly removed: number;
}

/** A file, the value of its last good content, and what was seen of it last. */
export interface Source<T> {
  /** The path as it was given, for messages. */
  readonly path: string;
  /** The absolute path, which a change of the working directory does not affect. */
  readonly file: string;
  /** What the last good content gave; there is none before the first. */
  readonly value: T;
  /**
   * Reads the file. Gives a function that tells what has changed, or undefined
   * when its content is the one that was seen last, good or bad. Throws a
   * `StoreFileError` when it can't be used.
   */
  read(): Promise<(() => Promise<FileReloaded>) | undefined>;
  /** Makes the next reading count, whatever was seen last. */
  forget(): void;
}

/** What changed between two values. */
type Difference = Omit<FileReloaded, "path">;

/** Creates the source of a plants file. */
export function createPlantsSource(path: string): Source<EncodedPlants> {
  return createSource(path, parsePlants, async (before, now) => ({
    summary: count(now.size, "plant"),
    ...await runInBetween(comparePlants(before ?? NO_PLANTS, now)),
  }));
}

/** Creates the source of a tokens file. */
export function createUsersSource(path: string): Source<Users> {
  return createSource(path, parseTokens, (before, { users, credentials }) => {
    const tokens = [...credentials.keys()];
    const kept = tokens.filter((token) =>
      before?.credentials.has(token)
    ).length;
    return {
      summary: `${count(users, "user")}, ${count(credentials.size, "token")}`,
      added: tokens.length - kept,
      removed: (before?.credentials.size ?? 0) - kept,
    };
  });
}

const NO_PLANTS = encodePlants([]);

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function createSource<T>(
  path: string,
  parse: (path: string, bytes: Uint8Array) => T | Promise<T>,
  compare: (before: T | undefined, now: T) => Difference | Promise<Difference>,
): Source<T> {
  const file = resolve(path);
  let seen: string | undefined;
  let value: T | undefined;
  return {
    path,
    file,
    get value() {
      return value!;
    },
    forget() {
      seen = undefined;
    },
    async read() {
      let content: Content;
      try {
        content = await readContent(file, path);
      } catch (error) {
        if (!(error instanceof StoreFileError)) throw error;
        if (seen === error.message) return undefined;
        seen = error.message;
        throw error;
      }
      const { bytes, digest } = content;
      if (digest === seen) return undefined;
      seen = digest;
      const before = value;
      const now = value = await parse(path, bytes);
      return async () => ({ path, ...await compare(before, now) });
    },
  };
}
