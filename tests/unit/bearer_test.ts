import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
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

test("readBearer() returns the token for any letter case of the scheme", () => {
  const property = fc.property(
    scheme,
    spaces,
    token,
    (scheme, spaces, token) => {
      assertEquals(readBearer(`${scheme}${spaces}${token}`), token);
    },
  );
  fc.assert(property, { numRuns: 2_000 });
});

test('readBearer() returns "" for an invalid character, or = before the end', () => {
  const property = fc.property(
    scheme,
    spaces,
    token,
    token,
    fc.oneof(invalid, fc.constant("=")),
    (scheme, spaces, start, end, invalid) => {
      for (
        const text of [
          start.replaceAll("=", "") + invalid + end,
          /^ +$/.test(invalid) ? "" : invalid + end,
          invalid === "=" ? "=" : start + invalid,
        ]
      ) assertEquals(readBearer(`${scheme}${spaces}${text}`), "", text);
    },
  );
  fc.assert(property, { numRuns: 2_000 });
});

test('readBearer() returns "" for two joined headers', () => {
  const property = fc.property(scheme, token, token, (scheme, one, other) => {
    assertEquals(readBearer(`${scheme} ${one}, ${scheme} ${other}`), "");
  });
  fc.assert(property);
});

test("readBearer() returns undefined for other schemes", () => {
  const other = fc.string({
    unit: fc.constantFrom(...ALPHABET.filter((each) => each !== "/"), "!"),
    minLength: 1,
  }).filter((scheme) => scheme.toUpperCase() !== "BEARER");
  const property = fc.property(
    fc.oneof(other, scheme.map((scheme) => `${scheme}s`)),
    spaces,
    token,
    (scheme, spaces, token) => {
      assertEquals(readBearer(`${scheme}${spaces}${token}`), undefined);
      assertEquals(readBearer(scheme), undefined);
    },
  );
  fc.assert(property, { numRuns: 2_000 });
  assertEquals(readBearer(undefined), undefined);
  assertEquals(readBearer(""), undefined);
});
