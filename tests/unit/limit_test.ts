import { test } from "node:test";
import { assert, assertEquals, assertNotMatch } from "@std/assert";
import fc from "../support/fast_check.ts";
import { readLimit } from "../../src/http/limit.ts";
import { unicodeText } from "../support/text.ts";

const name = fc.oneof(
  { weight: 4, arbitrary: fc.constant("limit") },
  fc.constantFrom("Limit", "limit[]", "limit ", "foo"),
  unicodeText,
);
const value = fc.oneof(
  { weight: 4, arbitrary: fc.nat().map(String) },
  fc.nat(99).map((number) => `0${number}`),
  fc.bigInt({ min: 2n ** 31n - 3n, max: 2n ** 31n + 3n }).map(String),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.double().map(String),
  fc.constantFrom("", " 5", "5 ", "+5", "-0", "1e3", "0x10", "5.0", "\u0665"),
  unicodeText,
);

/** Whether a text is the canonical form of a 31-bit integer. */
function isLimit(text: string): boolean {
  if (text.length === 0 || text.length > 10) return false;
  for (const character of text) {
    if (!"0123456789".includes(character)) return false;
  }
  return String(BigInt(text)) === text && BigInt(text) < 2n ** 31n;
}

test("readLimit() returns the limit, or a message that quotes the value", () => {
  let valid = 0, invalid = 0;
  const parameters = fc.array(fc.tuple(name, value), { maxLength: 3 });
  const property = fc.property(parameters, (parameters) => {
    const limit = readLimit(`${new URLSearchParams(parameters)}`);
    const values = parameters.filter(([name]) => name === "limit")
      .map(([, value]) => value);
    if (values.length === 0) {
      assertEquals(limit, undefined);
    } else if (values.length === 1 && isLimit(values[0]!)) {
      valid++;
      assertEquals(limit, Number(values[0]));
    } else {
      invalid++;
      if (typeof limit !== "string") throw new Error(`limit ${limit}`);
      assert(limit.startsWith("limit must "), limit);
      const [, quoted] = /got (".*")(?:\.\.\.)?$/.exec(limit)!;
      const shown: string = JSON.parse(quoted!);
      assert(values.join(", ").startsWith(shown));
      assert([...shown].length <= 64);
      assertNotMatch(limit, /\p{Cc}/u);
    }
  });
  fc.assert(property, { numRuns: 3_000 });
  assert(valid > 30 && invalid > 30, `${valid} ${invalid}`);
});
