import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
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

/**
 * Parses and validates a JSON file. Duplicate properties in an object are errors.
 *
 * @param items Receives each item.
 * @throws {StoreFileError} If the file is not valid UTF-8 or JSON, or an item has
 * a problem.
 */
export function parseJson(
  path: string,
  bytes: Uint8Array,
  { isArray, expected, add }: Items,
): void {
  const text = decode(path, bytes);
  const root = toTree(path, text);
  const duplicates = new ProblemList<Found>();
  findDuplicates(root, duplicates);
  throwAll(path, text, duplicates);

  const problems = new ProblemList();
  if (root.type === (isArray ? "array" : "object")) {
    for (const [key, item] of Object.entries(JSON.parse(text))) {
      add(isArray ? +key : key, item, problems);
    }
  } else problems.add({ path: [], message: expected });
  const listed = problems.listed.map((problem) => locate(root, problem))
    .sort((a, b) => a.offset - b.offset);
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

/** Finds properties that repeat another one of their object. */
function findDuplicates(
  { type, children = [] }: Node,
  found: ProblemList<Found>,
): void {
  const names = new Set<string>();
  for (const child of children) {
    const [name, value] = type === "object" ? child.children! : [, child];
    if (name && names.size === names.add(name.value).size) {
      const message = describeDuplicate(name.value);
      found.add({ offset: name.offset, message });
    }
    findDuplicates(value!, found);
  }
}

/** Finds the property that has a problem, or else the value. */
function locate(root: Node, { path, property, message }: Problem): Found {
  const value = findNodeAtLocation(root, [...path])!;
  const found = property === undefined
    ? undefined
    : value.children?.find(({ children: [name] = [] }) =>
      name?.value === property
    );
  return { offset: (found ?? value).offset, message };
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
 * Parses JSON.
 *
 * @throws {StoreFileError} If the text is not JSON, or nested too deeply.
 */
function toTree(path: string, text: string): Node {
  const errors: ParseError[] = [];
  const fail = (offset: number, message: string) =>
    new StoreFileError([{ path, ...toPlace(text, offset), message }]);
  try {
    const root = parseTree(text, errors, { disallowComments: true });
    const [first] = errors;
    if (first) throw fail(first.offset, describeError(text, first));
    JSON.parse(text);
    return root!;
  } catch (error) {
    if (error instanceof SyntaxError) throw fail(text.length, "invalid JSON");
    // The parser is recursive, so deep nesting overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    throw fail(0, "the values are nested too deeply");
  }
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
