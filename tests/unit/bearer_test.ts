import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { readBearer } from "../../src/http/bearer.ts";
import { anyText } from "../support/text.ts";

// What is expected is known from how a value is made (RFC 6750 section 2.1, RFC
// 9110 section 11.1): none of it is parsed here.

/** The alphabet of b64token, but for the `=` at its end. */
const ALPHABET = [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/",
];
const token = fc.tuple(
  fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 1 }),
  fc.constantFrom("", "", "=", "=="),
).map((parts) => parts.join(""));
const scheme = fc.tuple(
  ...Array.from(
    "bearer",
    (letter) => fc.constantFrom(letter, letter.toUpperCase()),
  ),
).map((letters) => letters.join(""));
const spaces = fc.constantFrom(" ", " ", " ", "  ", "     ");

/** A character that no token has. */
const stranger = fc.oneof(
  fc.constantFrom(..." ,;:\"'!@#$%^&*()[]{}<>|\\?\t\u00e9\u{1F33F}\0\n"),
  anyText.filter((text) =>
    text !== "" &&
    ![...text].some((character) =>
      ALPHABET.includes(character) || character === "="
    )
  ),
);

test("credentials: every token is read, whatever the case of the scheme and the spaces", () => {
  fc.assert(
    fc.property(scheme, spaces, token, (scheme, spaces, token) => {
      assertEquals(readBearer(`${scheme}${spaces}${token}`), token);
    }),
    { numRuns: 2_000 },
  );
});

test("credentials: with a stranger in it, or = before its end, no token is read", () => {
  fc.assert(
    fc.property(
      scheme,
      spaces,
      token,
      token,
      fc.oneof(stranger, fc.constant("=")),
      (scheme, spaces, start, end, stranger) => {
        for (
          const text of [
            start.replaceAll("=", "") + stranger + end,
            /^ +$/.test(stranger) ? "" : stranger + end,
            stranger === "=" ? "=" : start + stranger,
          ]
        ) assertEquals(readBearer(`${scheme}${spaces}${text}`), "", text);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("credentials: two fields are none, joined as they are", () => {
  fc.assert(
    fc.property(scheme, token, token, (scheme, one, other) => {
      assertEquals(readBearer(`${scheme} ${one}, ${scheme} ${other}`), "");
    }),
  );
});

test("credentials: those of another scheme, or of none, are none", () => {
  const other = fc.string({
    unit: fc.constantFrom(...ALPHABET.filter((each) => each !== "/"), "!"),
    minLength: 1,
  }).filter((scheme) => scheme.toUpperCase() !== "BEARER");
  fc.assert(
    fc.property(
      fc.oneof(other, scheme.map((scheme) => `${scheme}s`)),
      spaces,
      token,
      (scheme, spaces, token) => {
        assertEquals(readBearer(`${scheme}${spaces}${token}`), undefined);
        assertEquals(readBearer(scheme), undefined);
      },
    ),
    { numRuns: 2_000 },
  );
  assertEquals(readBearer(undefined), undefined);
  assertEquals(readBearer(""), undefined);
});
