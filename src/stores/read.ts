import type { Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import * as v from "valibot";
import { type EncodedPlants, encodePlants } from "../domain/encoded_plants.ts";
import { PlantsFileSchema } from "../domain/plant.ts";
import { escapeControls } from "../domain/quote.ts";
import { type Problem, toProblems } from "../domain/schema.ts";
import { readUsers, type Users } from "../domain/user.ts";
import { runInBetween } from "./in_between.ts";
import { type LocatedProblem, locateProblems, readJson } from "./json.ts";
import { scanPlants } from "./scan.ts";

/** One thing that is wrong with a file. */
export interface FileProblem {
  /** The file, as it was named. */
  readonly path: string;
  /** The line, from 1 on; absent when the file could not be read at all. */
  readonly line?: number;
  /** The column, from 1 on, in UTF-16 code units as editors count them. */
  readonly column?: number;
  /** What is wrong. It never shows a token or a digest. */
  readonly message: string;
}

/**
 * Thrown when a file can't be used. Its message is the first problem as
 * `PATH:LINE:COLUMN: what is wrong`.
 *
 * @example
 * ```ts
 * import { openFileStore, StoreFileError } from "plant-store/files";
 * import { assertRejects } from "@std/assert";
 *
 * await assertRejects(
 *   () => openFileStore({ plants: "no.json", tokens: "data/tokens.json" }),
 *   StoreFileError,
 *   "no.json: cannot be read: no such file",
 * );
 * ```
 */
export class StoreFileError extends Error {
  /** The name of the class. */
  override readonly name = "StoreFileError";
  /** The problems, those of the plants file first: at least one, at most 20 of a file. */
  readonly problems: readonly FileProblem[];
  /** How many problems there are beside these. */
  readonly more: number;

  /**
   * Words the first of the problems.
   *
   * @param problems The problems, at least one.
   * @param more How many problems there are beside these.
   */
  constructor(problems: readonly FileProblem[], more = 0) {
    super(problems[0] && formatProblem(problems[0]));
    this.problems = problems;
    this.more = more;
  }
}

/**
 * Writes a problem as `PATH:LINE:COLUMN: what is wrong`.
 *
 * @param problem The problem.
 * @returns One line, without a line feed.
 *
 * @example
 * ```ts
 * import { formatProblem } from "plant-store/files";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(
 *   formatProblem({
 *     path: "data/plants.json",
 *     line: 41,
 *     column: 12,
 *     message: "tag must be a non-empty string",
 *   }),
 *   "data/plants.json:41:12: tag must be a non-empty string",
 * );
 * ```
 */
export function formatProblem(problem: FileProblem): string {
  const { path, line, column, message } = problem;
  const place = line === undefined ? path : `${path}:${line}:${column}`;
  return escapeControls(`${place}: ${message}`);
}

/** What a file held when it was read. */
export interface Content {
  readonly bytes: Uint8Array;
  /** Tells one content from another. */
  readonly digest: string;
}

/** Takes the plants out of a plants file's content. Throws {@linkcode StoreFileError}. */
export async function parsePlants(
  path: string,
  bytes: Uint8Array,
): Promise<EncodedPlants> {
  const scanned = await runInBetween(scanPlants(bytes));
  if (scanned) return scanned;
  const { text, value } = parseJson(path, bytes);
  const result = v.safeParse(PlantsFileSchema, value);
  if (result.success) return encodePlants(result.output);
  throw toLocatedError(path, text, toProblems(result.issues));
}

/** Takes the users out of a tokens file's content. Throws {@linkcode StoreFileError}. */
export function parseTokens(
  path: string,
  bytes: Uint8Array,
): Users {
  const { text, value } = parseJson(path, bytes);
  const users = readUsers(value);
  if (!("problems" in users)) return users;
  throw toLocatedError(path, text, users.problems);
}

function parseJson(
  path: string,
  bytes: Uint8Array,
): { text: string; value: unknown } {
  const text = decode(path, bytes);
  const json = readJson(text);
  if (json.problems) throw toError(path, json.problems);
  return { text, value: json.value };
}

/** How often a file that changes while it is read is read again, and after how many milliseconds. */
const TRIES = 20, PAUSE = 25;

/**
 * Reads a file, and reads it again if it changes in the process.
 *
 * @param file The path of the file.
 * @param path The path that an error shows.
 * @throws {StoreFileError} If the file cannot be read.
 */
export async function readContent(
  file: string,
  path: string = file,
): Promise<Content> {
  try {
    for (let tries = 1;; tries++) {
      const before = await stat(file);
      // A pipe or device may never end.
      if (!before.isFile() && !before.isDirectory()) {
        throw new Error("it is not a regular file");
      }
      const bytes = await readFile(file) as Uint8Array<ArrayBuffer>;
      const after = await stat(file);
      if (tries === TRIES || isSame(before, after)) {
        return { bytes, digest: await digestOf(bytes) };
      }
      await setTimeout(PAUSE);
    }
  } catch (error) {
    const message = `cannot be read: ${explain(error as Error)}`;
    throw new StoreFileError([{ path, message }]);
  }
}

/** Tells contents apart, away from the thread that answers requests. */
async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(digest).join();
}

function isSame(before: Stats, after: Stats): boolean {
  return before.ino === after.ino && before.size === after.size &&
    before.mtimeMs === after.mtimeMs && before.ctimeMs === after.ctimeMs;
}

/** Why the system lets a file be neither read nor written. */
export function explain(
  { code, message }: Error & { readonly code?: string },
): string {
  switch (code) {
    case "ENOENT":
      return "no such file";
    case "EISDIR":
      return "it is a directory";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EROFS":
      return "the file system is read-only";
    default: // Deno's own words name the flag that would grant the permission.
      return message;
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw toError(path, [{ ...findInvalid(bytes), message: "not UTF-8" }]);
  }
}

/** Finds the first line that is not UTF-8, and the column behind its last good character. */
function findInvalid(bytes: Uint8Array): { line: number; column: number } {
  const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
  const encoder = new TextEncoder();
  for (let line = 1, start = 0;; line++) {
    let end = start;
    while (end < bytes.length && !isLineEnd(bytes[end])) end++;
    const given = bytes.subarray(start, end);
    const decoded = lenient.decode(given);
    const again = encoder.encode(decoded);
    const wrong = again.findIndex((byte, at) => byte !== given[at]);
    if (wrong !== -1) {
      const good = lenient.decode(given.subarray(0, wrong));
      const hasMark = line === 1 && good.startsWith("\uFEFF");
      return { line, column: good.length + (hasMark ? 0 : 1) };
    }
    start = end + (bytes[end] === RETURN && bytes[end + 1] === FEED ? 2 : 1);
  }
}

const FEED = 0x0a, RETURN = 0x0d;

function isLineEnd(byte: number | undefined): boolean {
  return byte === FEED || byte === RETURN;
}

/** How many problems of a file are told; the rest is counted. */
const MAX_TOLD = 20;

function toLocatedError(
  path: string,
  text: string,
  problems: readonly Problem[],
): StoreFileError {
  const told = problems.slice(0, MAX_TOLD);
  const more = problems.length - told.length;
  return toError(path, locateProblems(text, told), more);
}

function toError(
  path: string,
  problems: readonly LocatedProblem[],
  more = 0,
): StoreFileError {
  return new StoreFileError(
    problems.map((problem) => ({ path, ...problem })),
    more,
  );
}
