import type { Plant } from "../domain/plant.ts";
import type { Users } from "../domain/user.ts";
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
  readonly path: string;
  /** What the last good content gave; there is none before the first. */
  readonly value: T;
  /**
   * Reads the file. Gives what has changed, or undefined when its content is the
   * one that was seen last, good or bad. Throws a `StoreFileError` when it can't
   * be used.
   */
  read(): Promise<FileReloaded | undefined>;
  /** Makes the next reading count, whatever was seen last. */
  forget(): void;
}

/** What a value is described by. */
interface Description {
  readonly summary: string;
  /** One for each thing in it, equal for equal things. */
  readonly keys: readonly string[];
}

/** Creates the source of a plants file. */
export function createPlantsSource(path: string): Source<readonly Plant[]> {
  return createSource(path, parsePlants, (plants) => ({
    summary: count(plants.length, "plant"),
    keys: plants.map(({ name, tag }) => JSON.stringify([name, tag])),
  }));
}

/** Creates the source of a tokens file. */
export function createUsersSource(path: string): Source<Users> {
  return createSource(path, parseTokens, ({ users, credentials }) => ({
    summary: `${count(users, "user")}, ${count(credentials.size, "token")}`,
    keys: [...credentials.keys()],
  }));
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function createSource<T>(
  path: string,
  parse: (path: string, bytes: Uint8Array) => T,
  describe: (value: T) => Description,
): Source<T> {
  let seen: string | undefined;
  let value: T | undefined;
  let keys: readonly string[] = [];
  return {
    path,
    get value() {
      return value!;
    },
    forget() {
      seen = undefined;
    },
    async read() {
      let content: Content;
      try {
        content = await readContent(path);
      } catch (error) {
        if (!(error instanceof StoreFileError)) throw error;
        if (seen === error.message) return undefined;
        seen = error.message;
        throw error;
      }
      const { bytes, digest } = content;
      if (digest === seen) return undefined;
      seen = digest;
      value = parse(path, bytes);
      const before = keys;
      const now = describe(value);
      keys = now.keys;
      return { path, summary: now.summary, ...compare(before, keys) };
    },
  };
}

/** How many keys came and how many went; a key counts as often as it stands there. */
function compare(
  before: readonly string[],
  now: readonly string[],
): { added: number; removed: number } {
  const left = new Map<string, number>();
  for (const key of before) left.set(key, (left.get(key) ?? 0) + 1);
  let added = 0;
  for (const key of now) {
    const count = left.get(key) ?? 0;
    if (count === 0) added++;
    else left.set(key, count - 1);
  }
  return { added, removed: before.length - (now.length - added) };
}
