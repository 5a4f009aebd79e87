import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { isValidHost, parseTarget } from "../../../../src/core/http/target.ts";

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

// Hosts: `uri-host [ ":" port ]` of RFC 9110 section 7.2, with the grammar in RFC 3986
// section 3.2.2.

const HOSTS = [
  ...["x", "X-1.example", "x_y~z", "!$&'()*+,;=", "%6e%AF", "1.2.3.4"],
  ...["x:80", "x:", "x:99999", "[::1]", "[::1]:80", "[2001:db8::ff]:"],
];

/** Texts that no host contains. */
const OTHERS = [
  ...'/?#@\\ \t\r\n\0\x7f<>{}|^`"é植\u{1F33F}\uD800',
  ...["%", "%4", "%g0", "[", "]"],
];

test("isValidHost() accepts hosts", () => {
  assertEquals(HOSTS.filter((host) => !isValidHost(host)), []);
});

test("isValidHost() rejects characters that no host contains", () => {
  for (const host of ["x.y:80", "[::1]:80"]) {
    for (const other of OTHERS) {
      for (let at = 0; at <= host.length; at++) {
        const invalid = host.slice(0, at) + other + host.slice(at);
        assertEquals(isValidHost(invalid), false, invalid);
      }
    }
  }
});

test("isValidHost() rejects incomplete hosts, and names of more than 255 characters", () => {
  for (const unit of ["a", "a.", "%E6%A4%8D"]) {
    const longest = unit.repeat(255).slice(0, 255).replace(/%.?$/, "aa");
    assertEquals(isValidHost(`${longest}:8000`), true);
    assertEquals(isValidHost(`${longest}a`), false);
  }
  for (
    const host of [
      ...["", ":80", "::1", "[:::]", "[]", "[::g]", "x:8a", "x:80:80"],
      ...["[::1]80", "[::1", `[${"0".repeat(44)}::1]`],
    ]
  ) {
    assertEquals(isValidHost(host), false, host);
  }
});
