import { test } from "node:test";
import { assert } from "@std/assert";
import fc from "./fast_check.ts";
import { StoreFileError } from "../../src/stores/files/file_error.ts";
import { anyText } from "./text.ts";

/** Parses a file. */
type Parse = (path: string, bytes: Uint8Array) => unknown;

/**
 * Returns the problems for which a parser rejects a file, with their lines and
 * columns; none if it accepts the file.
 */
export async function findProblems(
  parse: Parse,
  content: string | Uint8Array,
): Promise<readonly string[]> {
  const bytes = typeof content === "string"
    ? new TextEncoder().encode(content)
    : content;
  try {
    await parse("a file.json", bytes);
    return [];
  } catch (error) {
    if (!(error instanceof StoreFileError)) throw error;
    return error.problems.map(({ line, column, message }) =>
      `${line}:${column}: ${message}`
    );
  }
}

/** Tests that a parser accepts a damaged file or locates each of its problems. */
export function testDamage(name: string, parse: Parse, valid: unknown): void {
  const value = fc.oneof(fc.jsonValue(), anyText);
  const values = fc.array(fc.tuple(fc.nat(30), value), { maxLength: 2 });
  const edit = fc.tuple(fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 3 }));
  const edits = fc.array(edit, { maxLength: 2 });

  test(`${name} locates the problems of a damaged file`, async () => {
    let accepted = 0, rejected = 0;
    const property = fc.asyncProperty(values, edits, async (values, edits) => {
      const others = new Map<number, unknown>(values);
      let position = 0;
      const damaged = JSON.parse(
        JSON.stringify(valid),
        (_, value) => others.get(position++) ?? value,
      );
      const text = JSON.stringify(damaged, null, 1).replaceAll("\n", "\r\n");
      const edited = [...new TextEncoder().encode(text)];
      for (const [at, removed, added] of edits) {
        edited.splice(at % (edited.length + 1), removed, ...added);
      }
      const bytes = Uint8Array.from(edited);
      const problems = await findProblems(parse, bytes);
      const lines = new TextDecoder().decode(bytes).split(/\r\n|\n|\r/);
      for (const problem of problems) {
        const place = /^(\d+):(\d+): [^\p{Cc}]+$/u.exec(problem);
        const [line = 0, column = 0] = place?.slice(1).map(Number) ?? [];
        assert(column >= 1, problem);
        assert(column <= (lines[line - 1]?.length ?? -1) + 1, problem);
      }
      if (problems.length > 0) rejected++;
      else accepted++;
    });
    await fc.assert(property, { numRuns: 500 });
    assert(accepted > 5 && rejected > 20, `${accepted} ${rejected}`);
  });
}
