import { test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import { resolveBasePath } from "../../src/http/base_path.ts";

const INVALID = [
  ...["", "/", "api", "/api/", "//", "//api", "/a//b", "/a?b", "/a#b", "/a b"],
  ...["/..", "/a/../b", "/%2e", "/a\\b", "/a\n", "http://h/a", "/\uD800"],
];

for (const path of INVALID) {
  test(`resolveBasePath() rejects ${JSON.stringify(path)}`, () => {
    const quoted = JSON.stringify(path);
    assertThrows(() => resolveBasePath(path), RangeError, quoted);
  });
}

test("resolveBasePath() normalizes the path", () => {
  assertEquals(resolveBasePath("/caf\u00E9/%61"), "/caf%C3%A9/a");
});
