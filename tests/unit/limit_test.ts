import { test } from "node:test";
import { assert, assertEquals, assertNotMatch } from "@std/assert";
import fc from "fast-check";
import { readLimit } from "../../src/http/limit.ts";
import { anyText, unicodeText } from "../support/text.ts";

/** A text and a way to write it in a query: what it decodes to is known from how it is made. */
interface Encoded {
  readonly text: string;
  readonly encoded: string;
}

/** Writes each character as it is where a query may hold it, or as its bytes. */
const encode = (text: string, plain: readonly boolean[]): Encoded => {
  const characters = Array.from(text, (character, at) => {
    const isPlain = plain[at % plain.length]!;
    if (isPlain && /^[A-Za-z0-9\-._~]$/.test(character)) return character;
    if (isPlain && character === " ") return "+";
    return Array.from(
      new TextEncoder().encode(character),
      (byte) => `%${byte.toString(16).padStart(2, "0")}`,
    ).join("");
  });
  return { text, encoded: characters.join("") };
};
const encoded = (text: fc.Arbitrary<string>): fc.Arbitrary<Encoded> =>
  fc.tuple(text, fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }))
    .map(([text, plain]) => encode(text, plain));

const name = encoded(fc.oneof(
  { weight: 4, arbitrary: fc.constant("limit") },
  fc.constantFrom("Limit", "limit[]", "limit ", "foo"),
  unicodeText.filter((text) => text !== "limit"),
));
const value = encoded(fc.oneof(
  { weight: 4, arbitrary: fc.nat().map(String) },
  fc.nat(99).map((number) => `0${number}`),
  fc.bigInt({ min: 2n ** 31n - 3n, max: 2n ** 31n + 3n }).map(String),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.double().map(String),
  fc.constantFrom("", " 5", "5 ", "+5", "-0", "1e3", "0x10", "5.0", "\u0665"),
  unicodeText,
));
const parameter = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({ name, value }).map(({ name, value }) => ({
      query: `${name.encoded}=${value.encoded}`,
      value: name.text === "limit" ? value.text : undefined,
    })),
  },
  fc.constant({ query: "", value: undefined }),
  fc.constant({ query: "limit", value: "" }),
);

/** Whether a text is how a whole number is written that fits into 31 bits: of all that are, one is. */
function isLimit(text: string): boolean {
  if (text.length === 0 || text.length > 10) return false;
  for (const character of text) {
    if (!"0123456789".includes(character)) return false;
  }
  return String(BigInt(text)) === text && BigInt(text) < 2n ** 31n;
}

test("limit: any query gives the number that is in it, none, or a refusal that quotes it", () => {
  let numbers = 0, refusals = 0;
  fc.assert(
    fc.property(fc.array(parameter, { maxLength: 3 }), (parameters) => {
      const limit = readLimit(parameters.map(({ query }) => query).join("&"));
      const values = parameters.flatMap(({ value }) => value ?? []);
      if (values.length === 0) {
        assertEquals(limit, undefined);
      } else if (values.length === 1 && isLimit(values[0]!)) {
        numbers++;
        assertEquals(limit, Number(values[0]));
      } else {
        refusals++;
        if (typeof limit !== "string") throw new Error(`not ${limit}`);
        assert(limit.startsWith("limit must "), limit);
        const [, quoted] = /got (".*")(?: and so on)?$/.exec(limit)!;
        const shown: string = JSON.parse(quoted!);
        assert(values.join(", ").startsWith(shown));
        assert([...shown].length <= 64);
        assertNotMatch(limit, /\p{Cc}/u);
      }
    }),
    { numRuns: 5_000 },
  );
  assert(numbers > 500 && refusals > 500, `${numbers} ${refusals}`);
});

test("limit: no query whatever makes it fail, or gives a number out of bounds", () => {
  fc.assert(
    fc.property(
      anyText,
      fc.constantFrom("", "limit=", "&limit=", "limit", "%6cimit=%"),
      (text, start) => {
        const limit = readLimit(start + text);
        if (typeof limit !== "number") return;
        assert(Number.isInteger(limit) && limit >= 0 && limit < 2 ** 31);
      },
    ),
    { numRuns: 5_000 },
  );
});
