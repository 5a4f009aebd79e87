import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { StoreFileError } from "../../src/stores/file_error.ts";
import { PATH } from "./problems.ts";
import { anyText } from "./text.ts";

// Property tests of files: a definition by hand, without a schema, and a parser
// agree on which files are valid.

export type Json = ReturnType<typeof JSON.parse>;

const isObject = (value: Json): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value is a valid name or tag. */
export const isText = (value: Json): boolean =>
  typeof value === "string" && value !== "" && !value.includes("\0") &&
  value.isWellFormed();

type Check = (value: Json) => boolean;

/** Whether an object has all `required` keys and no unknown ones, with valid values. */
export function hasKeys(
  value: Json,
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): boolean {
  if (!isObject(value)) return false;
  const checks = new Map(Object.entries({ ...required, ...optional }));
  return Object.keys(required).every((key) => Object.hasOwn(value, key)) &&
    Object.entries(value).every(([key, each]) => checks.get(key)?.(each));
}

const odd = fc.oneof(fc.constant(null), fc.nat(9), fc.jsonValue());

/** Mostly valid values, sometimes any. */
export const mostly = <T>(valid: fc.Arbitrary<T>): fc.Arbitrary<T | Json> =>
  fc.oneof({ weight: 30, arbitrary: valid }, odd);

/** Objects with these values, sometimes with a missing or an additional key. */
export const object = (
  model: Record<string, fc.Arbitrary<Json>>,
  requiredKeys: string[],
): fc.Arbitrary<Json> => {
  const valid = fc.record(model, { requiredKeys });
  return fc.oneof(
    { weight: 30, arbitrary: valid },
    fc.record(model, { requiredKeys: [] }),
    fc.tuple(valid, anyText, fc.nat()).map(([value, key, extra]) =>
      Object.fromEntries([...Object.entries(value), [key, extra]])
    ),
  );
};

/** Encodes JSON as editors do. */
const encode = (value: Json, layout: string | number | undefined) =>
  new TextEncoder().encode(
    JSON.stringify(value, null, layout).replaceAll("\n", "\r\n"),
  );

/** Tests that `parse` accepts exactly the valid files and locates each problem. */
export function testFiles(
  name: string,
  parse: (path: string, bytes: Uint8Array) => unknown,
  value: fc.Arbitrary<Json>,
  isValid: Check,
): void {
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

  test(`${name} accepts exactly the valid files`, async () => {
    let accepted = 0, rejected = 0;
    const layout = fc.constantFrom(undefined, 2, "\t");
    const property = fc.asyncProperty(value, layout, async (value, layout) => {
      const bytes = encode(value, layout);
      const text = new TextDecoder().decode(bytes);
      const expected = isValid(JSON.parse(text));
      assertEquals(await isAccepted(bytes), expected, text);
      if (expected) accepted++;
      else rejected++;
    });
    await fc.assert(property, { numRuns: 2_000 });
    assert(accepted > 20 && rejected > 20, `${accepted} ${rejected}`);
  });

  test(`${name} locates the problems of any bytes`, async () => {
    const edits = fc.array(
      fc.tuple(fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 3 })),
      { maxLength: 3 },
    );
    const property = fc.asyncProperty(value, edits, async (value, edits) => {
      const bytes = [...encode(value, 1)];
      for (const [at, removed, added] of edits) {
        bytes.splice(at % (bytes.length + 1), removed, ...added);
      }
      await isAccepted(Uint8Array.from(bytes));
    });
    await fc.assert(property, { numRuns: 2_000 });
  });
}
