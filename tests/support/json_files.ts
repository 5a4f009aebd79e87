import { test } from "node:test";
import { assert, assertMatch } from "@std/assert";
import fc from "./fast_check.ts";
import { StoreFileError } from "../../src/stores/files/file_error.ts";
import { PATH } from "./problems.ts";
import { anyText } from "./text.ts";

export type Json = ReturnType<typeof JSON.parse>;

/** Tests that a parser accepts a damaged file or locates each of its problems. */
export function testDamage(
  name: string,
  parse: (path: string, bytes: Uint8Array) => unknown,
  valid: Json,
): void {
  const value = fc.oneof(fc.jsonValue(), anyText);
  const values = fc.array(fc.tuple(fc.nat(30), value), { maxLength: 2 });
  const edit = fc.tuple(fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 3 }));
  const edits = fc.array(edit, { maxLength: 2 });

  /** Whether a file is accepted; each problem must have a place in it. */
  async function isAccepted(bytes: Uint8Array): Promise<boolean> {
    try {
      await parse(PATH, bytes);
      return true;
    } catch (error) {
      if (!(error instanceof StoreFileError)) throw error;
      assertMatch(error.message, /^a file\.json:\d+:\d+: [^\p{Cc}]+$/u);
      const lines = new TextDecoder().decode(bytes).split(/\r\n|\n|\r/);
      for (const { line = 0, column = 0 } of error.problems) {
        assert(line >= 1 && line <= lines.length, error.message);
        const { length } = lines[line - 1]!;
        assert(column >= 1 && column <= length + 1, error.message);
      }
      return false;
    }
  }

  test(`${name} locates the problems of a damaged file`, async () => {
    let accepted = 0, rejected = 0;
    const property = fc.asyncProperty(values, edits, async (values, edits) => {
      const others = new Map<number, Json>(values);
      let position = 0;
      const damaged = JSON.parse(
        JSON.stringify(valid),
        (_, value) => others.get(position++) ?? value,
      );
      const text = JSON.stringify(damaged, null, 1).replaceAll("\n", "\r\n");
      const bytes = [...new TextEncoder().encode(text)];
      for (const [at, removed, added] of edits) {
        bytes.splice(at % (bytes.length + 1), removed, ...added);
      }
      if (await isAccepted(Uint8Array.from(bytes))) accepted++;
      else rejected++;
    });
    await fc.assert(property, { numRuns: 500 });
    assert(accepted > 5 && rejected > 20, `${accepted} ${rejected}`);
  });
}
