import { test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { parseTarget } from "../../src/http/target.ts";

// Some runtimes change targets like these before the service receives them.
for (
  const [target, path, query] of [
    ["http:///plants", "", ""],
    ["ftp://h/plants?x", "", ""],
    ["h:80", "", ""],
    ["plants", "", ""],
    ["*", "*", ""],
    ["", "/", ""],
    ["?x", "/", "x"],
    ["/plants?a?b", "/plants", "a?b"],
    ["/plants#x?y", "/plants", ""],
    ["/a\\..\\plants", "/plants", ""],
    ["/%7Eplants%2f%2D%zz", "/~plants%2f-%zz", ""],
  ] as const
) {
  test(`parseTarget() parses ${JSON.stringify(target)}`, () => {
    assertEquals(parseTarget(target), { path, query });
  });
}

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

/** Which characters of a segment are percent-encoded, and how. */
const escapes = fc.array(fc.constantFrom("no", "upper", "lower"), {
  minLength: 1,
  maxLength: 5,
});
function escape(text: string, escapes: readonly string[]): string {
  const characters = Array.from(text, (character, at) => {
    const how = escapes[at % escapes.length];
    const hex = character.charCodeAt(0).toString(16);
    if (how === "no") return character;
    return `%${how === "upper" ? hex.toUpperCase() : hex}`;
  });
  return characters.join("");
}

/** Segments that resolve to nothing. */
const detour = fc.constantFrom(
  ...["", "", "/.", "/%2e", "/x/..", "/x/%2E.", "/x/y/../.%2e", "\\."],
);
const fragment = fc.constantFrom("", "#", "#a?b");

test("parseTarget() normalizes the path and keeps the query", () => {
  const property = fc.property(
    segments,
    query,
    escapes,
    detour,
    fragment,
    (segments, query, escapes, detour, fragment) => {
      const written = segments
        .map((segment) => `${detour}/${escape(segment, escapes)}`).join("");
      const path = `/${segments.join("/")}`;
      const target = `${written}?${query}${fragment}`;
      assertEquals(parseTarget(target), { path, query });
    },
  );
  fc.assert(property, { numRuns: 5_000 });
});
