import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { parseTarget } from "../../src/http/target.ts";

// What some runtimes have made another target of, before it reaches the service.
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
    ["http://h/plants", "", ""],
    ["/plants?x=http://i/j", "/plants", "x=http://i/j"],
    ["/%7Eplants%2f%2D%zz", "/~plants%2f-%zz", ""],
  ] as const
) {
  test(`parseTarget() takes ${JSON.stringify(target)} apart`, () => {
    assertEquals(parseTarget(target), { path, query });
  });
}
