import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { parseTarget } from "../../src/http/target.ts";

const UNRESERVED =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
const escape = (text: string) =>
  text.replace(/./g, (each) => `%${each.charCodeAt(0).toString(16)}`);

// Some runtimes change targets like these before the service receives them.
for (
  const [target, path, query] of [
    ["http:///plants", "", ""],
    ["http://h/plants?x", "/plants", "x"],
    ["ftp://h/plants?x", "", ""],
    ["h:80", "", ""],
    ["plants", "", ""],
    ["*", "*", ""],
    ["", "/", ""],
    ["?x", "/", "x"],
    ["/plants?a?b", "/plants", "a?b"],
    ["/plants?%41=+&/..#x", "/plants", "%41=+&/.."],
    ["/plants#x?y", "/plants", ""],
    ["/a\\..\\plants", "/plants", ""],
    ["//./x/../%2e/y/%2E./.%2e/plants", "/plants", ""],
    ["/plants//./", "/plants//", ""],
    ["/%7Eplants%2f%2D%zz", "/~plants%2f-%zz", ""],
    [`/x${escape(UNRESERVED)}`, `/x${UNRESERVED}`, ""],
    [`/x${escape(UNRESERVED).toUpperCase()}`, `/x${UNRESERVED}`, ""],
    [`/x${escape("!/%:@[`{\x7f")}`, `/x${escape("!/%:@[`{\x7f")}`, ""],
  ] as const
) {
  test(`parseTarget() parses ${JSON.stringify(target)}`, () => {
    assertEquals(parseTarget(target), { path, query });
  });
}
