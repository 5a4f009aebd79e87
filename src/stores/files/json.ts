import { setImmediate } from "node:timers/promises";
import {
  type JSONPath,
  type ParseErrorCode,
  printParseErrorCode,
  visit,
} from "jsonc-parser";
import { quote } from "../../core/internal/quote.ts";
import { ProblemList } from "../../core/internal/schema.ts";
import { type FileProblem, StoreFileError } from "./file_error.ts";

/** Where a visitor is in a text; lines and columns start at 0. */
type VisitorPlace = [
  offset: number,
  length: number,
  line: number,
  column: number,
  getPath: () => JSONPath,
];

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
  throwAll(locate(path, text, problems));
}

type Found = Pick<ProblemList<FileProblem>, "listed" | "omittedCount">;

function throwAll({ listed, omittedCount }: Found): void {
  if (listed.length > 0) throw new StoreFileError(listed, omittedCount);
}

/** Finds the places of problems: the property with the problem, or else the value. */
export function locate(
  path: string,
  text: string,
  { listed, omittedCount }: ProblemList,
): Found {
  if (listed.length === 0) return { listed: [], omittedCount };
  const keys = new Set(listed.map(({ path: [key] }) => key));
  const places = new Map<string, Pick<FileProblem, "line" | "column">>();
  function record(
    [, , line, column, getPath]: VisitorPlace,
    property?: string,
  ): void {
    const path = getPath();
    if (path.length > 0 && !keys.has(path[0])) return;
    const key = JSON.stringify([path, property]);
    places.set(key, { line: line + 1, column: column + 1 });
  }
  visit(text, {
    onObjectBegin: (...place) => record(place),
    onArrayBegin: (...place) => record(place),
    onLiteralValue: (_, ...place) => record(place),
    onObjectProperty: (name, ...place) => record(place, name),
  });
  const located = listed.map((problem) => ({
    path,
    ...places.get(JSON.stringify([problem.path, problem.property])) ??
      places.get(JSON.stringify([problem.path, undefined])),
    message: problem.message,
  }));
  return {
    listed: located.sort((a, b) => a.line! - b.line! || a.column! - b.column!),
    omittedCount,
  };
}

export function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // A valid file can contain U+FFFD, which also replaces invalid bytes here.
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const end = new TextEncoder().encode(text)
      .findIndex((byte, at) => byte !== bytes[at]);
    const before = new TextDecoder().decode(bytes.subarray(0, end));
    const lines = before.split(/\r\n|\n|\r/);
    const place = { line: lines.length, column: lines.at(-1)!.length + 1 };
    const isUtf16 = bytes[0] === 0xff || bytes[0] === 0xfe; // its byte order mark
    const message = isUtf16
      ? "the file is UTF-16; save it as UTF-8"
      : "invalid UTF-8";
    throw new StoreFileError([{ path, ...place, message }]);
  }
}

/**
 * Checks the syntax of a text.
 *
 * @throws {StoreFileError} If it is not JSON or nested too deeply, or if an object
 * repeats a property.
 */
function checkText(path: string, text: string): void {
  let syntaxError: FileProblem | undefined;
  const duplicates = new ProblemList<FileProblem>();
  const objects: Set<string>[] = [];
  try {
    visit(text, {
      onObjectBegin: () => void objects.push(new Set()),
      onObjectEnd: () => void objects.pop(),
      onObjectProperty(name, _offset, _length, line, column) {
        const names = objects.at(-1)!;
        if (names.has(name)) {
          const message = "duplicate property"; // its name can be a secret
          duplicates.add({ path, line: line + 1, column: column + 1, message });
        }
        names.add(name);
      },
      onError(error, offset, _length, line, column) {
        if (syntaxError) return;
        const message = describeError(text, error, offset);
        syntaxError = { path, line: line + 1, column: column + 1, message };
      },
    }, { disallowComments: true });
  } catch (error) {
    // The parser is recursive, so deep nesting overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    const message = "the values are nested too deeply";
    syntaxError = { path, line: 1, column: 1, message };
  }
  if (syntaxError) throw new StoreFileError([syntaxError]);
  throwAll(duplicates);
}

/** Describes a syntax error: `CommaExpected` becomes "expected a comma". */
function describeError(
  text: string,
  error: ParseErrorCode,
  offset: number,
): string {
  if (text.trim() === "") return "invalid JSON: the file is empty";
  const words = printParseErrorCode(error)
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()
    .replace("close", "closing");
  if (words === "invalid comment token") return "JSON does not allow comments";
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 32);
  if (/['‘’“”„]/.test(character)) {
    return "invalid JSON: use straight double quotes";
  }
  const [, expected] = /^(.*) expected$/.exec(words) ?? [];
  // A visible character in ASCII can be that of a secret.
  const shown = /[^ -~]/.test(character) ? ` ${quote(character)}` : "";
  if (expected === undefined) return `invalid JSON: ${words}${shown}`;
  const article = expected.startsWith("end") ? "the" : "a";
  const hint = /,\s*$/.test(text.slice(0, offset)) ? " (trailing comma?)" : "";
  return `invalid JSON: expected ${article} ${expected}${hint}`;
}
