import {
  findNodeAtLocation,
  type Node,
  parseTree,
  printParseErrorCode,
  visit,
} from "jsonc-parser";
import type { Problem } from "../domain/schema.ts";

/** A problem and where it is in the text, from 1 on as editors count. */
export interface LocatedProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** What JSON text holds, or what is wrong with it as text. */
export type Json =
  | { readonly value: unknown; readonly problems?: undefined }
  | { readonly problems: readonly LocatedProblem[] };

interface Mistake {
  readonly offset: number;
  readonly message: string;
}

/** Reads JSON text strictly: the same key twice in one object is a mistake too. */
export function readJson(text: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const [first = { offset: text.length, message: "not JSON" }] =
      findMistakes(text).syntax;
    return { problems: locate(text, [first]) };
  }
  // To look for the places takes many times as long as to parse.
  if (countColons(text) === countKeys(value)) return { value };
  return { problems: locate(text, findMistakes(text).repeated) };
}

/** How many keys valid JSON text has: each has a colon, outside of strings. */
function countColons(text: string): number {
  let colons = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x3a) colons++;
    if (code !== 0x22) continue;
    for (at++; text.charCodeAt(at) !== 0x22; at++) {
      if (text.charCodeAt(at) === 0x5c) at++;
    }
  }
  return colons;
}

/** How many keys a value has: of a key that stands twice, JSON.parse keeps one. */
function countKeys(value: unknown): number {
  let keys = 0;
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== "object" || next === null) continue;
    const members = Object.values(next);
    if (!Array.isArray(next)) keys += members.length;
    for (const member of members) left.push(member);
  }
  return keys;
}

/** Finds the places of problems in the text whose value they were found in, in the order of the text. */
export function locateProblems(
  text: string,
  problems: readonly Problem[],
): LocatedProblem[] {
  const tree = tryToRead(text);
  return locate(
    text,
    problems.map(({ path, message, property }) => {
      const value = tree && findNodeAtLocation(tree, [...path]);
      const member = property === undefined
        ? undefined
        : value?.children?.find(({ children }) =>
          children?.[0]?.value === property
        );
      return { offset: (member ?? value)?.offset ?? 0, message };
    }),
  );
}

function tryToRead(text: string): Node | undefined {
  try {
    return parseTree(text);
  } catch (error) {
    // It calls itself for each level.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function findMistakes(
  text: string,
): { syntax: Mistake[]; repeated: Mistake[] } {
  const syntax: Mistake[] = [];
  const repeated: Mistake[] = [];
  const open: Set<string>[] = [];
  try {
    visit(text, {
      onObjectBegin() {
        open.push(new Set());
      },
      onObjectProperty(key, offset) {
        const keys = open.at(-1)!;
        if (keys.has(key)) {
          repeated.push({ offset, message: "the same key stands here twice" });
        }
        keys.add(key);
      },
      onObjectEnd() {
        open.pop();
      },
      onError(code, offset) {
        syntax.push({ offset, message: wordError(printParseErrorCode(code)) });
      },
    }, { disallowComments: true });
  } catch (error) {
    // The visitor calls itself for each level.
    if (!(error instanceof RangeError)) throw error;
    const mistake = { offset: 0, message: "the values are nested too deeply" };
    return { syntax: [mistake], repeated: [mistake] };
  }
  return { syntax, repeated };
}

/** `CommaExpected` becomes "not JSON: comma expected". */
function wordError(code: string): string {
  return `not JSON:${
    code.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  }`;
}

function locate(text: string, mistakes: readonly Mistake[]): LocatedProblem[] {
  const lines = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push(index + end.length);
  }
  return mistakes
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ offset, message }) => {
      const line = lines.findLastIndex((start) => start <= offset);
      return { line: line + 1, column: offset - lines[line]! + 1, message };
    });
}
