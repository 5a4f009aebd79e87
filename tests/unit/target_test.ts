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
/** A character, and a form that is equivalent to it. */
const character = fc.tuple(
  fc.constantFrom(...UNRESERVED),
  fc.constantFrom("no", "upper", "lower"),
).map(([text, escaping]) => {
  const hex = text.charCodeAt(0).toString(16);
  const escaped = `%${escaping === "upper" ? hex.toUpperCase() : hex}`;
  return [text, escaping === "no" ? text : escaped] as const;
});

/** The characters of a segment. */
const segment = fc.array(character, { minLength: 1, maxLength: 8 })
  .filter((units) => !/^\.{1,2}$/.test(units.map(([text]) => text).join("")));

/** Segments that resolve to nothing. */
const detour = fc.constantFrom(
  ...["", "", "/.", "/%2e", "/x/..", "/x/%2E.", "/x/y/../.%2e", "\\."],
);
const segments = fc.array(fc.tuple(detour, segment), {
  minLength: 1,
  maxLength: 4,
});
const query = fc.string({
  unit: fc.constantFrom(...UNRESERVED, "&", "=", "?", "/", "%41", "+"),
});
const fragment = fc.constantFrom("", "#", "#a?b");

test("parseTarget() normalizes the path and keeps the query", () => {
  const property = fc.property(
    segments,
    query,
    fragment,
    (segments, query, fragment) => {
      let path = "", written = "";
      for (const [detour, units] of segments) {
        path += `/${units.map(([text]) => text).join("")}`;
        written += `${detour}/${units.map(([, form]) => form).join("")}`;
      }
      const target = `${written}?${query}${fragment}`;
      assertEquals(parseTarget(target), { path, query });
    },
  );
  fc.assert(property, { numRuns: 5_000 });
});
