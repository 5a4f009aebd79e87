import { setImmediate } from "node:timers/promises";
import {
  type JSONPath,
  type ParseError,
  printParseErrorCode,
  visit,
} from "jsonc-parser";
import { type Problem, ProblemList } from "../../internal/schema.ts";
import { StoreFileError } from "./file_error.ts";

/** The items in a file: the elements of an array, or the properties of an object. */
export interface Items {
  /** Whether the file contains an array. */
  readonly isArray: boolean;
  /** The message if the file contains another value. */
  readonly expected: string;
  /** Adds an item, or the problems with it. */
  add(key: string | number, item: unknown, problems: ProblemList): void;
}

/** How many items are added before the server can respond to requests. */
const BATCH_SIZE = 1_000;

/**
 * Parses and validates a JSON file. Duplicate properties in an object are errors.
 *
 * @param items Receives each item.
 * @throws {StoreFileError} If the file is not valid UTF-8 or JSON, or an item has
 * a problem.
 */
export async function parseJson(
  path: string,
  bytes: Uint8Array,
  { isArray, expected, add }: Items,
): Promise<void> {
  const text = decode(path, bytes);
  checkText(path, text);
  await setImmediate();
  const value: unknown = JSON.parse(text);
  const problems = new ProblemList();
  if (Object(value) === value && Array.isArray(value) === isArray) {
    const values = value as Readonly<Record<string, unknown>>;
    for (const [at, key] of Object.keys(values).entries()) {
      if (at % BATCH_SIZE === 0) await setImmediate();
      add(isArray ? at : key, values[key], problems);
    }
  } else problems.add({ path: [], message: expected });
  const listed = locate(text, problems.listed);
  throwAll(path, text, { listed, omittedCount: problems.omittedCount });
}

/** A problem and where it starts in the text. */
interface Found {
  readonly offset: number;
  readonly message: string;
}

function throwAll(
  path: string,
  text: string,
  { listed, omittedCount }: Pick<ProblemList<Found>, "listed" | "omittedCount">,
): void {
  if (listed.length === 0) return;
  const problems = listed.map(({ offset, message }) => (
    { path, ...toPlace(text, offset), message }
  ));
  throw new StoreFileError(problems, omittedCount);
}

/** Finds where problems start: at the property with the problem, or else at the value. */
function locate(text: string, problems: readonly Problem[]): Found[] {
  if (problems.length === 0) return [];
  const keys = new Set(problems.map(({ path: [key] }) => key));
  const offsets = new Map<string, number>();
  function record(offset: number, path: JSONPath, property?: string): void {
    if (path.length > 0 && !keys.has(path[0])) return;
    offsets.set(JSON.stringify([path, property]), offset);
  }
  const recordValue = (
    offset: number,
    ...[, , , getPath]: [number, number, number, () => JSONPath]
  ) => record(offset, getPath());
  visit(text, {
    onObjectBegin: recordValue,
    onArrayBegin: recordValue,
    onLiteralValue: (_, ...place) => recordValue(...place),
    onObjectProperty: (name, offset, ...[, , , getPath]) =>
      record(offset, getPath(), name),
  });
  return problems.map(({ path, property, message }) => ({
    offset: offsets.get(JSON.stringify([path, property])) ??
      offsets.get(JSON.stringify([path, undefined]))!,
    message,
  })).sort((a, b) => a.offset - b.offset);
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder().decode(bytes);
    const before = text.slice(0, Math.max(0, text.indexOf("\uFFFD")));
    const isUtf16 = bytes[0] === 0xff || bytes[0] === 0xfe; // its byte order mark
    const message = isUtf16
      ? "the file is UTF-16; save it as UTF-8"
      : "invalid UTF-8";
    throw new StoreFileError([{ path, ...toPlace(before), message }]);
  }
}

/**
 * Checks the syntax of a text.
 *
 * @throws {StoreFileError} If it is not JSON or nested too deeply, or if an object
 * repeats a property.
 */
function checkText(path: string, text: string): void {
  let syntaxError: ParseError | undefined;
  const duplicates = new ProblemList<Found>();
  const objects: Set<string>[] = [];
  const fail = (offset: number, message: string) =>
    new StoreFileError([{ path, ...toPlace(text, offset), message }]);
  try {
    visit(text, {
      onObjectBegin: () => void objects.push(new Set()),
      onObjectEnd: () => void objects.pop(),
      onObjectProperty(name, offset) {
        const names = objects.at(-1)!;
        const message = describeDuplicate(name);
        if (names.has(name)) duplicates.add({ offset, message });
        names.add(name);
      },
      onError(error, offset, length) {
        syntaxError ??= { error, offset, length };
      },
    }, { disallowComments: true });
  } catch (error) {
    // The parser is recursive, so deep nesting overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    throw fail(0, "the values are nested too deeply");
  }
  if (syntaxError) {
    throw fail(syntaxError.offset, describeError(text, syntaxError));
  }
  throwAll(path, text, duplicates);
}

/** Returns the line and the column of a character, both starting at 1. */
function toPlace(
  text: string,
  offset: number = text.length,
): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

/** The property names that are known in a file. Any other name could be a secret. */
const PROPERTIES: ReadonlySet<string> = new Set(
  "name tag plants tags names behavior delay fail status tokens token sha256 expires"
    .split(" "),
);

function describeDuplicate(name: string): string {
  return `duplicate property${PROPERTIES.has(name) ? ` "${name}"` : ""}`;
}

/** Describes a syntax error: `CommaExpected` becomes "expected a comma". */
function describeError(text: string, { error, offset }: ParseError): string {
  if (text.trim() === "") return "invalid JSON: the file is empty";
  const words = printParseErrorCode(error)
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()
    .replace("close", "closing");
  if (words === "invalid comment token") return "JSON does not allow comments";
  const [, expected] = /^(.*) expected$/.exec(words) ?? [];
  if (expected === undefined) return `invalid JSON: ${words}`;
  const article = expected.startsWith("end") ? "the" : "a";
  const hint = /,\s*$/.test(text.slice(0, offset)) ? " (trailing comma?)" : "";
  return `invalid JSON: expected ${article} ${expected}${hint}`;
}
