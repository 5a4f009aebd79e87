import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { isValidHost, parseTarget } from "../../../../src/core/http/target.ts";
import { isValidHost as isHost } from "../../../contract/model.ts";
import fc from "../../../support/fast_check.ts";

const UNRESERVED =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
const OTHER = "!/%:@[`{\x7f";
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
    ["/%7Eplants%2f%2D%zz", "/~plants%2F-%zz", ""],
    [`/x${escape(UNRESERVED)}`, `/x${UNRESERVED}`, ""],
    [`/x${escape(UNRESERVED).toUpperCase()}`, `/x${UNRESERVED}`, ""],
    [`/x${escape(OTHER)}`, `/x${escape(OTHER).toUpperCase()}`, ""],
  ] as const
) {
  test(`parseTarget() parses ${JSON.stringify(target)}`, () => {
    assertEquals(parseTarget(target), { path, query });
  });
}

const unit = fc.constantFrom(
  ...["x", "X-1.example", "x_y~z", "!$&'()*+,;=", "%6e%AF", "1.2.3.4"],
  ...["[::1]", "[2001:db8::ff]", ":", ":80", "::1", "[", "]", "[:::]", "[::g]"],
  ...'/?#@\\ \t\r\n\0\x7f<>{}|^`"é植\u{1F33F}\uD800'.split(""),
  ...["%", "%4", "%g0", "a".repeat(254), "%E6".repeat(84), "0".repeat(44)],
);

test("isValidHost() accepts the hosts that the grammar of RFC 9110 does", () => {
  const hosts = fc.array(unit, { minLength: 1, maxLength: 3 })
    .map((units) => units.join(""));
  const counts = { true: 0, false: 0 };
  fc.assert(
    fc.property(hosts, (host) => {
      const expected = isHost(host);
      counts[`${expected}`]++;
      assertEquals(isValidHost(host), expected, host);
    }),
    { numRuns: 20_000 },
  );
  assert(counts.true > 1_000 && counts.false > 1_000, JSON.stringify(counts));
  assertEquals(isValidHost(""), false);
});
