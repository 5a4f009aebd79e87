import process from "node:process";
import { test } from "node:test";
import { assert } from "@std/assert";
import { createHandler, createMemoryStore } from "../../mod.ts";
import { isValidHost, parseTarget } from "../../src/http/target.ts";

import { parsePlants } from "../../src/stores/files/plants_file.ts";
import { parseTokens } from "../../src/stores/files/tokens_file.ts";

// Long text from clients and long files take linear time. A test in
// tests/integration/repository checks the regular expressions of the sources; these
// tests include the parsers of libraries and platforms.

/** The size of the shorter inputs, the ratio of the sizes, and the maximum ratio of their times. */
const SIZE = 1_000, FACTOR = 8, MAX_RATIO = 24;

/** Returns the CPU time of some calls, in microseconds. */
async function measure(
  receive: (text: string) => unknown,
  text: string,
  calls: number,
): Promise<number> {
  const start = process.cpuUsage();
  for (let call = 0; call < calls; call++) {
    try {
      await receive(text);
    } catch {
      // Inputs may be invalid.
    }
  }
  const { user, system } = process.cpuUsage(start);
  return Math.max(user + system, 1);
}

const store = createMemoryStore({
  plants: [],
  users: { u: { plants: "all", tokens: ["t"] } },
});
const handler = createHandler(store, { cors: "https://a.example" });
const authorization = "Bearer t";
const sendHeader = (name: string) => (value: string) =>
  handler("/plants", { headers: { authorization, [name]: value } });
const sendQuery = (query: string) =>
  handler(`/plants?${query}`, { headers: { authorization } });
const read =
  (parse: typeof parsePlants | typeof parseTokens) => (text: string) =>
    parse("a file", new TextEncoder().encode(text));

/** Returns a function that repeats texts up to a size. */
const repeat = (unit: string, prefix = "") => (size: number) =>
  prefix + unit.repeat(size / unit.length + 1).slice(0, size);

/** Returns a function that joins texts with commas. */
const join = (write: (at: number) => string) => (size: number) =>
  Array.from({ length: 2 * size }, (_, at) => write(at)).join(",\n");

/** Different letters, for which the conversion to Punycode is quadratic. */
const LETTERS = String.fromCharCode(
  ...Array.from({ length: 8_000 }, (_, at) => 0x4e00 + at * 7 % 20_000),
);

const plants = join((at) => `{"name": "plant ${at}", "tag": "tag ${at}"}`);
const invalid = join(() => '{"name": "", "name": ""}');
const keys = join((at) => `"key ${at}": 1`);
const users = join((at) =>
  `"user ${at}": {"plants": {}, "tokens": ["t${at}"]}`
);
const sameToken = join((at) => `"user ${at}": {"plants": {}, "tokens": ["t"]}`);

for (
  const [name, receive, create] of [
    ["a Host", isValidHost, repeat("%41")],
    ["a Host of many letters", isValidHost, repeat(LETTERS)],
    ["Authorization", sendHeader("authorization"), repeat(" ", "Bearer ")],
    ["If-None-Match", sendHeader("if-none-match"), repeat('"a" ,')],
    ["Origin", sendHeader("origin"), repeat("a.", "https://")],
    ["a target", parseTarget, repeat("/a/..")],
    ["the host of a target", parseTarget, repeat(LETTERS, "http://")],
    ["a query", sendQuery, repeat("limit=0&")],
    ["plants", read(parsePlants), (n) => `[${plants(n)}]`],
    ["invalid plants", read(parsePlants), (n) => `[${invalid(n)}]`],
    ["a plant with many keys", read(parsePlants), (n) => `[{${keys(n)}}]`],
    ["damaged plants", read(parsePlants), (n) => `[${plants(n)}"`],
    ["users", read(parseTokens), (n) => `{${users(n)}}`],
    ["duplicate tokens", read(parseTokens), (n) => `{${sameToken(n)}}`],
  ] as readonly (readonly [
    name: string,
    receive: (text: string) => unknown,
    create: (size: number) => string,
  ])[]
) {
  test(`the time for ${name} is linear`, async () => {
    const short = create(SIZE), long = create(SIZE * FACTOR);
    let shortTime = Infinity, longTime = Infinity, ratio = Infinity;
    // Other processes can delay some attempts; most inputs are clearly linear.
    for (let attempt = 0; attempt < 10 && ratio > FACTOR * 1.5; attempt++) {
      // As many characters as the long input has, which takes long enough to measure.
      const time = await measure(receive, short, FACTOR) / FACTOR;
      shortTime = Math.min(shortTime, time);
      longTime = Math.min(longTime, await measure(receive, long, 1));
      ratio = longTime / shortTime;
    }
    assert(ratio <= MAX_RATIO, `${ratio} times`);
  });
}
