import { setImmediate } from "node:timers/promises";
import {
  type JSONVisitor,
  type ParseErrorCode,
  printParseErrorCode,
  visit,
} from "jsonc-parser";
import { type Problem, ProblemList } from "../catalog/schema.ts";
import { type FileProblem, StoreFileError } from "./file_error.ts";

/** The items in a file: the elements of an array, or the properties of an object. */
export interface Items {
  /** Whether the file contains an array. */
  readonly isArray: boolean;
  /** The message if the file contains another value. */
  readonly expected: string;
  /** Adds an item, or the problems with it. */
  add(key: string | number, item: unknown, problems: ProblemList): void;
}

/** A place in a file. Both numbers start at 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** The number of items after which other tasks can run. */
const BATCH_SIZE = 1_000;

/**
 * Parses and validates a JSON file. Duplicate properties in an object are errors.
 *
 * @param items Receives each item.
 * @returns The text of the file.
 * @throws {StoreFileError} If the file is not valid UTF-8 or JSON, or an item has
 * a problem.
 */
export async function parseJson(
  path: string,
  bytes: Uint8Array,
  { isArray, expected, add }: Items,
): Promise<string> {
  const text = decode(path, bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new StoreFileError([findSyntaxError(path, text)]);
  }
  const problems = new ProblemList();
  let strings = 0;
  if (isObject(value) && Array.isArray(value) === isArray) {
    const items = Array.isArray(value)
      ? value.entries()
      : Object.entries(value);
    let count = 0;
    for (const [key, item] of items) {
      add(key, item, problems);
      // Valid items are not nested deeply, so recursion is safe.
      if (problems.listed.length === 0) strings += countStrings(item);
      if (++count % BATCH_SIZE === 0) await setImmediate();
    }
    if (!isArray) strings += count;
  } else {
    problems.add({ path: [], message: expected });
  }
  // The text of a duplicate property has strings that the value does not have.
  // Counting them takes a fifth of the time that looking for duplicates takes.
  if (problems.listed.length > 0 || strings !== countQuotes(text) / 2) {
    throwProblems(path, text, problems);
  }
  return text;
}

/** Whether a value is an object or an array. */
function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Counts the strings in a value, including the names of properties. */
function countStrings(value: unknown): number {
  if (typeof value === "string") return 1;
  if (!isObject(value)) return 0;
  const values = Object.values(value);
  let count = Array.isArray(value) ? 0 : values.length;
  for (const each of values) count += countStrings(each);
  return count;
}

/** Counts the quotes around the strings in JSON text. */
function countQuotes(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++; // skips an escaped quote
    else if (text[at] === '"') count++;
  }
  return count;
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder().decode(bytes);
    const before = text.slice(0, Math.max(0, text.indexOf("\uFFFD")));
    const message = "invalid UTF-8";
    throw new StoreFileError([{ path, ...findEnd(before), message }]);
  }
}

/** Finds the first error in text that is not JSON. */
function findSyntaxError(path: string, text: string): FileProblem {
  let first: FileProblem | undefined;
  visitText(path, text, {
    onError(code, offset, _length, line, character) {
      const message = first ? "" : describeError(text, code, offset);
      first ??= { path, ...toPlace(line, character), message };
    },
  });
  return first ?? { path, ...findEnd(text), message: "invalid JSON" };
}

/**
 * Throws the duplicate properties in JSON text or, if there are none, the other
 * problems with their places.
 */
function throwProblems(
  path: string,
  text: string,
  { listed, more }: ProblemList,
): void {
  const duplicates = new ProblemList<FileProblem>();
  /** The property names of the objects, and of the arrays, that contain the current value. */
  const parents: Set<string>[] = [];

  const places = new Map<string, Place>();
  const maxLength = Math.max(...listed.map(({ path }) => path.length));
  const wantedItems = new Set(listed.map(({ path }) => path[0]));
  const wanted = new Set(
    listed.flatMap((
      { path, property },
    ) => [toKey(path), toKey(path, property)]),
  );

  /** Records a place if one of the problems is there. */
  function record(
    [, , line, character, findPath]: PathArguments,
    property?: string,
  ): void {
    // Creating the paths and keys of all values would take most of the time.
    if (parents.length > maxLength + 1) return;
    const path = findPath();
    if (path.length > 0 && !wantedItems.has(path[0])) return;
    const key = toKey(path, property);
    if (wanted.has(key)) places.set(key, toPlace(line, character));
  }

  visitText(path, text, {
    onObjectBegin(...found) {
      record(found);
      parents.push(new Set());
    },
    onObjectProperty(name, ...found) {
      record(found, name);
      const names = parents.at(-1)!;
      if (names.has(name)) {
        const place = toPlace(found[2], found[3]);
        duplicates.add({ path, ...place, message: describeDuplicate(name) });
      }
      names.add(name);
    },
    onObjectEnd: () => void parents.pop(),
    onArrayBegin(...found) {
      record(found);
      parents.push(new Set());
    },
    onArrayEnd: () => void parents.pop(),
    onLiteralValue: (_value, ...found) => record(found),
  });
  if (duplicates.listed.length > 0) {
    throw new StoreFileError(duplicates.listed, duplicates.more);
  }
  if (listed.length === 0) return;
  const placed = listed.map(({ path: at, property, message }) => {
    const place = places.get(toKey(at, property)) ?? places.get(toKey(at))!;
    return { path, ...place, message };
  });
  placed.sort((a, b) => a.line - b.line || a.column - b.column);
  throw new StoreFileError(placed, more);
}

/** The arguments of the visitor's functions for values. */
type PathArguments = Parameters<NonNullable<JSONVisitor["onArrayBegin"]>>;

/** Returns a string that identifies a value, or one of its properties. */
function toKey(path: Problem["path"], property?: string): string {
  return JSON.stringify([path, property]);
}

/**
 * Visits the text.
 *
 * @throws {StoreFileError} If its values are nested too deeply.
 */
function visitText(path: string, text: string, visitor: JSONVisitor): void {
  try {
    visit(text, visitor, { disallowComments: true });
  } catch (error) {
    // The parser is recursive, so deep nesting overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    const message = "the values are nested too deeply";
    throw new StoreFileError([{ path, ...toPlace(0, 0), message }]);
  }
}

function toPlace(line: number, character: number): Place {
  return { line: line + 1, column: character + 1 };
}

/** Returns the place after the last character. */
function findEnd(text: string): Place {
  const lines = text.split(/\r\n|\n|\r/);
  return toPlace(lines.length - 1, lines.at(-1)!.length);
}

/** The property names that are known in a file. Any other name could be a secret. */
const PROPERTIES: ReadonlySet<string> = new Set(
  "name tag plants tags names behavior delay fail tokens sha256 created expires"
    .split(" "),
);

function describeDuplicate(name: string): string {
  return `duplicate property${PROPERTIES.has(name) ? ` "${name}"` : ""}`;
}

/** Describes a syntax error: `CommaExpected` becomes "expected a comma". */
function describeError(
  text: string,
  code: ParseErrorCode,
  offset: number,
): string {
  if (text.trim() === "") return "invalid JSON: the file is empty";
  const words = printParseErrorCode(code)
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()
    .replace("close", "closing");
  if (words === "invalid comment token") return "JSON does not allow comments";
  const [, expected] = /^(.*) expected$/.exec(words) ?? [];
  if (expected === undefined) return `invalid JSON: ${words}`;
  const article = expected.startsWith("end") ? "the" : "a";
  const hint = /,\s*$/.test(text.slice(0, offset)) ? " (trailing comma?)" : "";
  return `invalid JSON: expected ${article} ${expected}${hint}`;
}
