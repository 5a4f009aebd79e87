import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { isValidHost } from "../../src/http/host.ts";
import { anyText } from "../support/text.ts";

// `uri-host [ ":" port ]` of RFC 9110 section 7.2, generated from its grammar in
// RFC 3986 section 3.2.2.
const hexDigit = fc.constantFrom(..."0123456789abcdefABCDEF");
// At most 255 characters, with three for each unit.
const name = fc.string({
  maxLength: 85,
  unit: fc.oneof(
    fc.constantFrom(
      ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~",
      ..."!$&'()*+,;=",
    ),
    fc.tuple(hexDigit, hexDigit).map(([high, low]) => `%${high}${low}`),
  ),
  minLength: 1,
});
// Bun's URL parser rejects addresses such as `[::0:0:0:0:0.0.0.0]`.
const ipV6 = fc.ipV6().filter((text) => !text.includes("."));
const address = fc.oneof(fc.ipV4(), ipV6.map((text) => `[${text}]`));
const port = fc.oneof(
  fc.constantFrom("", ":"),
  fc.nat().map((number) => `:${number}`),
);
const host = fc.tuple(fc.oneof(name, address), port)
  .map((parts) => parts.join(""));

test("isValidHost() accepts every host, and rejects a character that no host contains", () => {
  const character = fc.oneof(
    fc.constantFrom(...'/?#@\\ \t\r\n\0<>{}|^`"', "%", "%4", "%g0"),
    anyText.filter((text) => text > "\u007f"),
  );
  const property = fc.property(
    host,
    fc.nat(),
    character,
    (host, at, character) => {
      assertEquals(isValidHost(host), true);
      const place = at % (host.length + 1);
      const [start, end] = [host.slice(0, place), host.slice(place)];
      // Skips texts in which the rest of the host completes an escape.
      if (character.startsWith("%") && /^[0-9a-f%]/i.test(end)) return;
      if (/%.?$/.test(start)) return;
      assertEquals(isValidHost(start + character + end), false);
    },
  );
  fc.assert(property, { numRuns: 5_000 });
});

test("isValidHost() rejects names of more than 255 characters", () => {
  for (const unit of ["a", "a.", "%E6%A4%8D"]) {
    const longest = unit.repeat(255).slice(0, 255).replace(/%.?$/, "aa");
    assertEquals(isValidHost(`${longest}:8000`), true);
    assertEquals(isValidHost(`${longest}a`), false);
  }
  for (const host of [`[${"0".repeat(44)}::1]`, ":80", "::1", "[:::]"]) {
    assertEquals(isValidHost(host), false);
  }
});
