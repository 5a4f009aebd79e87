import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { parsePlants } from "../../src/stores/files/plants_file.ts";
import { parseTokens } from "../../src/stores/files/tokens_file.ts";
import { measureSlow } from "../support/linear.ts";
import { PATH } from "../support/problems.ts";

/** Joins `n` texts with commas. */
const repeat = (n: number, write: (at: number) => string) =>
  Array.from({ length: n }, (_, at) => write(at)).join(",\n");

const plant = (at: number) => `{"name": "plant ${at}", "tag": "tag ${at}"}`;
const token = (at: number) => `{"sha256": "${`${at}`.padStart(64, "0")}"}`;
const user = (at: number, tokens = "") =>
  `"user ${at}": {"plants": {"tags": ["tag ${at}"]}, "tokens": [${tokens}]}`;

/** Removes a quote in the middle, so that the rest is not JSON either. */
function damage(text: string): string {
  const at = text.indexOf('"', text.length / 2);
  return text.slice(0, at) + text.slice(at + 1);
}

/** Plants files that grow with `n`. */
const PLANTS: Readonly<Record<string, (n: number) => string>> = {
  "plants": (n) => `[${repeat(n, plant)}]`,
  "invalid plants": (n) => `[${repeat(n, () => '{"name": ""}')}]`,
  "a plant with many keys": (n) => `[{${repeat(n, (at) => `"key ${at}": 1`)}}]`,
  "duplicate keys": (n) => `[${repeat(n, () => '{"name": "a", "name": "b"}')}]`,
  "a deep array": (n) =>
    `${"[".repeat(n / 8)}${"1,".repeat(n)}1${"]".repeat(n / 8)}`,
  "damaged plants": (n) => damage(`[${repeat(n, plant)}]`),
};

/** Tokens files that grow with `n`. */
const TOKENS: Readonly<Record<string, (n: number) => string>> = {
  "users": (n) => `{${repeat(n, (at) => user(at, token(at)))}}`,
  "invalid users": (n) => `{${repeat(n, (at) => user(at, "1"))}}`,
  "duplicate users": (n) => `{${repeat(n, () => user(1))}}`,
  "duplicate tokens": (n) => `{${repeat(n, (at) => user(at, token(1)))}}`,
  "damaged users": (n) => damage(`{${repeat(n, (at) => user(at))}}`),
};

for (
  const [parse, files] of [
    [parsePlants, PLANTS],
    [parseTokens, TOKENS],
  ] as const
) {
  for (const [name, write] of Object.entries(files)) {
    test(`the time to read ${name} is linear`, async () => {
      const run = (text: string) => parse(PATH, new TextEncoder().encode(text));
      // Short files take too little time to compare.
      const create = (size: number) => write(4 * size);
      assertEquals(await measureSlow(run, create), undefined);
    });
  }
}
