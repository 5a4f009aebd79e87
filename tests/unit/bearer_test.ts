import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { readBearer } from "../../src/http/bearer.ts";
import { anyText } from "../support/text.ts";

// Generates values from their grammar (RFC 6750 section 2.1, RFC 9110 section
// 11.1) instead of parsing them.

/** The characters of b64token, except for `=`. */
const ALPHABET = [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/",
];
const letters = fc.string({
  unit: fc.constantFrom(...ALPHABET),
  minLength: 1,
});
const token = fc.tuple(letters, fc.constantFrom("", "", "=", "=="))
  .map((parts) => parts.join(""));
const scheme = fc.mixedCase(fc.constant("bearer"));
const spaces = fc.constantFrom(" ", " ", " ", "  ", "     ");

/** A character that no token contains. */
const invalid = fc.oneof(
  fc.constantFrom(..." ,;:\"'!@#$%^&*()[]{}<>|\\?\t\u00e9\u{1F33F}\0\n"),
  anyText.filter((text) =>
    text !== "" &&
    ![...text].some((each) => ALPHABET.includes(each) || each === "=")
  ),
);

/** Another scheme. */
const other = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...ALPHABET.filter((each) => each !== "/"), "!"),
    minLength: 1,
  }).filter((scheme) => scheme.toUpperCase() !== "BEARER"),
  scheme.map((scheme) => `${scheme}s`),
);

test('readBearer() returns a token, "" if it is invalid, and undefined without one', () => {
  const property = fc.property(
    fc.record({ scheme, other, spaces, token, end: token, invalid }),
    ({ scheme, other, spaces, token, end, invalid }) => {
      assertEquals(readBearer(`${scheme}${spaces}${token}`), token);
      for (
        const text of [
          token + invalid + end,
          token + invalid,
          // More spaces before a token are valid.
          ...(/^ +$/.test(invalid) ? [] : [invalid + end]),
          `=${end}`,
          `${token.replaceAll("=", "")}=${end}`,
        ]
      ) assertEquals(readBearer(`${scheme}${spaces}${text}`), "", text);
      assertEquals(readBearer(`${other}${spaces}${token}`), undefined);
      assertEquals(readBearer(other), undefined);
      assertEquals(readBearer(scheme), undefined);
      assertEquals(readBearer(scheme + spaces), undefined);
    },
  );
  fc.assert(property, { numRuns: 2_000 });
  assertEquals(readBearer(undefined), undefined);
});
