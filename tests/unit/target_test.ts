import { test } from "node:test";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { parseTarget } from "../../src/http/target.ts";
import { anyText } from "../support/text.ts";

const UNRESERVED = [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~",
];
const segment = fc.string({
  unit: fc.constantFrom(...UNRESERVED),
  minLength: 1,
  maxLength: 8,
}).filter((text) => !/^\.{1,2}$/.test(text));
const segments = fc.array(segment, { minLength: 1, maxLength: 4 });
const query = fc.string({
  unit: fc.constantFrom(...UNRESERVED, "&", "=", "?", "/", "%41", "+"),
});

/** How a segment may be written without being another: some characters escaped, in either case. */
const escapes = fc.array(fc.constantFrom("no", "upper", "lower"), {
  minLength: 1,
  maxLength: 5,
});
function escape(text: string, how: readonly string[]): string {
  return Array.from(text, (character, at) => {
    const hex = character.charCodeAt(0).toString(16);
    switch (how[at % how.length]) {
      case "upper":
        return `%${hex.toUpperCase()}`;
      case "lower":
        return `%${hex}`;
      default:
        return character;
    }
  }).join("");
}

/** What leads nowhere: it may stand before every segment. */
const detour = fc.constantFrom(
  "",
  "",
  "/.",
  "/%2e",
  "/x/..",
  "/x/%2E.",
  "/x/y/../.%2e",
  "\\.",
);
test("target: every way to write a path is that path, and the query stays as it is", () => {
  fc.assert(
    fc.property(
      segments,
      query,
      escapes,
      detour,
      fc.constantFrom("", "#", "#a?b"),
      (segments, query, escapes, detour, fragment) => {
        const written = segments.map((segment) =>
          `${detour}/${escape(segment, escapes)}`
        ).join("");
        assertEquals(
          parseTarget(`${written}?${query}${fragment}`),
          { path: `/${segments.join("/")}`, query },
        );
      },
    ),
    { numRuns: 5_000 },
  );
});

test("target: what makes another path of it is not resolved", () => {
  fc.assert(
    fc.property(segments, fc.nat(), (segments, at) => {
      const path = `/${segments.join("/")}z`;
      const place = at % path.length;
      const [start, end] = [path.slice(0, place), path.slice(place)];
      for (
        const other of [
          `${path}/`,
          `/${path}`,
          `${start}%2F${end.slice(1)}`,
          `${start}%2f${end}`,
          `${start}%00${end}`,
          `${start}%C3%A9${end}`,
          `${start}%25${end}`,
          `${start};${end}`,
          `${start}${end.replace(/[a-z]/i, swapCase)}`,
        ]
      ) assertNotEquals(parseTarget(other).path, path, other);
    }),
    { numRuns: 2_000 },
  );
});

function swapCase(letter: string): string {
  return letter === letter.toUpperCase()
    ? letter.toLowerCase()
    : letter.toUpperCase();
}

test("target: none whatever makes it fail, and a path that it gives is its own", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        fc.string({
          unit: fc.constantFrom(..."/\\.%2eF?#@:[]* x\t\u00e9"),
          maxLength: 20,
        }),
      ),
      fc.constantFrom("", "/", "//", "http://", "http://h", "*"),
      (text, start) => {
        const { path } = parseTarget(start + text);
        assert(path === "" || path === "*" || path.startsWith("/"), path);
        if (path === "*") assertEquals(start + text, "*");
        if (path.startsWith("/")) {
          assertEquals(parseTarget(path), { path, query: "" });
        }
      },
    ),
    { numRuns: 10_000 },
  );
});
