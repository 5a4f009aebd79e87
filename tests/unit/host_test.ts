import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { isValidHost } from "../../src/http/host.ts";
import { anyText } from "../support/text.ts";

const isGood = isValidHost;

// `uri-host [ ":" port ]` of RFC 9110 section 7.2, made from its grammar in RFC
// 3986 section 3.2.2.
const hexDigit = fc.constantFrom(..."0123456789abcdefABCDEF");
const name = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~",
      ..."!$&'()*+,;=",
    ),
    fc.tuple(hexDigit, hexDigit).map(([high, low]) => `%${high}${low}`),
  ),
  minLength: 1,
});
// Bun's own URL refuses `[::0:0:0:0:0.0.0.0]` and its like.
const ipV6 = fc.ipV6().filter((text) => !text.includes("."));
const address = fc.oneof(fc.ipV4(), ipV6.map((text) => `[${text}]`));
const port = fc.oneof(
  fc.constant(""),
  fc.constant(":"),
  fc.nat().map((number) => `:${number}`),
);
const host = fc.tuple(fc.oneof(name, address), port).map((parts) =>
  parts.join("")
);

test("Host: every host with a port or without is good", () => {
  fc.assert(
    fc.property(host, (host) => assertEquals(isGood(host), true, host)),
    { numRuns: 5_000 },
  );
});

test("Host: with a character in it that no host has, it is none", () => {
  const stranger = fc.oneof(
    fc.constantFrom(...'/?#@\\ \t\r\n\0<>{}|^`"', "%", "%4", "%g0"),
    anyText.filter((text) => text > "\u007f"),
  );
  fc.assert(
    fc.property(
      fc.oneof(name, address),
      fc.nat(),
      stranger,
      (host, at, stranger) => {
        const place = at % (host.length + 1);
        const [start, end] = [host.slice(0, place), host.slice(place)];
        // What follows may make a good escape of it.
        if (stranger.startsWith("%") && /^[0-9a-f%]/i.test(end)) return;
        // The first half of an escape is not one.
        if (/%.?$/.test(start)) return;
        assertEquals(isGood(start + stranger + end), false);
      },
    ),
    { numRuns: 5_000 },
  );
  for (const bad of ["", ":80", "h:80:80", "h:x", "[::1", "::1", "[h]"]) {
    assertEquals(isGood(bad), false, bad);
  }
});

test("Host: one that is good never changes the route of the URL it is put into", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        host,
        fc.string({
          unit: fc.constantFrom(..."h.:/?#@\\[]%2F0 \t*"),
          maxLength: 9,
        }),
        anyText,
      ),
      (host) => {
        const text = `http://${host}/nope`;
        if (!isGood(host) || !URL.canParse(text)) return;
        const { pathname, search, hash, username } = new URL(text);
        assertEquals([pathname, search, hash, username], ["/nope", "", "", ""]);
      },
    ),
    { numRuns: 10_000 },
  );
});
