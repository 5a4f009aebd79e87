import {
  findNodeAtLocation,
  type Node,
  type ParseErrorCode,
  parseTree,
  printParseErrorCode,
  visit,
} from "jsonc-parser";
import type { Problem } from "../domain/schema.ts";
import { type FileProblem, StoreFileError } from "./file_error.ts";

/** The content of a JSON file. */
export interface JsonFile {
  readonly text: string;
  readonly value: unknown;
}

/** A problem at an offset in the text of a file. */
interface TextProblem {
  readonly offset: number;
  readonly message: string;
}

/**
 * Parses a JSON file strictly: duplicate properties in an object are errors.
 *
 * @throws {StoreFileError} If the file is not valid UTF-8 or JSON.
 */
export function parseJson(path: string, bytes: Uint8Array): JsonFile {
  const text = decode(path, bytes);
  let value: unknown;
  let isJson = true;
  try {
    value = JSON.parse(text);
  } catch {
    isJson = false;
  }
  const { syntax, repeated } = findTextProblems(text);
  if (!isJson) {
    const unknown = { offset: text.length, message: "invalid JSON" };
    throw createError(path, text, [syntax ?? unknown]);
  }
  if (repeated.length > 0) throw createError(path, text, repeated);
  return { text, value };
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder().decode(bytes);
    const offset = Math.max(0, text.indexOf("\uFFFD"));
    throw createError(path, text, [{ offset, message: "not UTF-8" }]);
  }
}

/** The maximum number of problems to report for a file. */
const MAX_REPORTED = 20;

/**
 * Creates the error for an invalid file, with the location of each problem.
 *
 * @param problems The problems. Must not be empty.
 */
export function createFileError(
  path: string,
  { text }: JsonFile,
  problems: readonly Problem[],
): StoreFileError {
  const reported = problems.slice(0, MAX_REPORTED);
  const root = parseTree(text)!;
  const located = reported.map(({ path, message, property }) => {
    const value = findNodeAtLocation(root, [...path])!;
    return { offset: findOffset(value, property), message };
  });
  return createError(path, text, located, problems.length - reported.length);
}

/** Returns the offset of a property of `value`, or of `value` itself. */
function findOffset(value: Node, property: string | undefined): number {
  const member = property === undefined
    ? undefined
    : value.children?.find(({ children }) => children?.[0]?.value === property);
  return (member ?? value).offset;
}

function createError(
  path: string,
  text: string,
  problems: readonly TextProblem[],
  more = 0,
): StoreFileError {
  const lines = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push(index + end.length);
  }
  const located = problems
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ offset, message }): FileProblem => {
      const line = lines.findLastIndex((start) => start <= offset);
      const column = offset - lines[line]! + 1;
      return { path, line: line + 1, column, message };
    });
  return new StoreFileError(located, more);
}

/** Finds the first syntax error and all duplicate properties. */
function findTextProblems(
  text: string,
): { syntax?: TextProblem; repeated: TextProblem[] } {
  let syntax: TextProblem | undefined;
  const repeated: TextProblem[] = [];
  const objects: Set<string>[] = [];
  try {
    visit(text, {
      onObjectBegin() {
        objects.push(new Set());
      },
      onObjectProperty(name, offset) {
        const names = objects.at(-1)!;
        if (names.has(name)) {
          repeated.push({ offset, message: describeRepeated(name) });
        }
        names.add(name);
      },
      onObjectEnd() {
        objects.pop();
      },
      onError(code, offset) {
        syntax ??= { offset, message: describeError(text, code, offset) };
      },
    }, { disallowComments: true });
  } catch (error) {
    // The parser is recursive, so deep nesting overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    const problem = { offset: 0, message: "the values are nested too deeply" };
    return { syntax: problem, repeated: [problem] };
  }
  return { ...syntax && { syntax }, repeated };
}

/** The known property names. Any other name could be a secret. */
const PROPERTIES =
  /^(?:name|tag|plants|tags|names|tokens|sha256|created|expires)$/;

function describeRepeated(name: string): string {
  return `duplicate property${PROPERTIES.test(name) ? ` "${name}"` : ""}`;
}

/** Describes a syntax error: `CommaExpected` becomes "expected a comma". */
function describeError(
  text: string,
  code: ParseErrorCode,
  offset: number,
): string {
  if (text.trim() === "") return "invalid JSON: the file is empty";
  const words = printParseErrorCode(code)
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
  const [, expected] = /^(.*) expected$/.exec(words) ?? [];
  if (expected === undefined) return `invalid JSON: ${words}`;
  const article = expected.startsWith("end") ? "the" : "a";
  const hint = /,\s*$/.test(text.slice(0, offset)) ? " (trailing comma?)" : "";
  return `invalid JSON: expected ${article} ${expected}${hint}`;
}
