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
  let isValid = true;
  try {
    value = JSON.parse(text);
  } catch {
    isValid = false;
  }
  const { syntax, repeated } = findMistakes(text);
  if (!isValid) {
    const [first = { offset: text.length, message: "not JSON" }] = syntax;
    return { problems: locate(text, [first]) };
  }
  return repeated.length > 0 ? { problems: locate(text, repeated) } : { value };
}

/** Finds the places of problems in the text whose value they were found in, in the order of the text. */
export function locateProblems(
  text: string,
  problems: readonly Problem[],
): LocatedProblem[] {
  const tree = parseTree(text);
  return locate(
    text,
    problems.map(({ path, message, isKey }) => ({
      offset: tree === undefined ? 0 : find(tree, path, isKey).offset,
      message,
    })),
  );
}

function find(tree: Node, path: Problem["path"], isKey: boolean): Node {
  const node = findNodeAtLocation(tree, [...path]);
  // Of something missing, what it is missing from.
  if (!node) return find(tree, path.slice(0, -1), false);
  return isKey ? node.parent!.children![0]! : node;
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
