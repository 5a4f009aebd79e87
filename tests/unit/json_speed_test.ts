import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { parsePlants } from "../../src/stores/files/plants_file.ts";
import { parseTokens } from "../../src/stores/files/tokens_file.ts";
import { measureSlow } from "../support/linear.ts";
import { PATH } from "../support/problems.ts";

/** Joins `n` texts with commas. */
const repeat = (n: number, write: (at: number) => string) =>
  Array.from({ length: n }, (_, at) => write(at)).join(",\n");

const toPlants = (n: number, write: (at: number) => string) =>
  `[${repeat(n, write)}]`;
const toUsers = (n: number, write: (at: number) => string) =>
  `{${repeat(n, write)}}`;
const toUser = (plants: string, tokens = "") =>
  `{"plants": ${plants}, "tokens": [${tokens}]}`;
const toToken = (at: number) => `{"sha256": "${`${at}`.padStart(64, "0")}"}`;
const plant = (at: number) => `{"name": "plant ${at}", "tag": "tag ${at}"}`;
const user = (at: number) =>
  `"user ${at}": ${toUser(`{"tags": ["tag ${at}"]}`, toToken(at))}`;

/** Removes a quote in the middle, so that the rest is not JSON either. */
function damage(text: string): string {
  const at = text.indexOf('"', text.length / 2);
  return text.slice(0, at) + text.slice(at + 1);
}

type Write = (n: number) => string;

/** Plants files that grow with `n`. */
const PLANTS: Readonly<Record<string, Write>> = {
  "plants": (n) => toPlants(n, plant),
  "plants with invalid names": (n) => toPlants(n, () => '{"name": ""}'),
  "plants with invalid tags": (n) =>
    toPlants(n, () => '{"name": "a", "tag": 1}'),
  "a plant with many keys": (n) => `[{${repeat(n, (at) => `"key ${at}": 1`)}}]`,
  "plants with duplicate keys": (n) =>
    toPlants(n, () => '{"name": "a", "name": "b"}'),
  "a deep array": (n) =>
    `${"[".repeat(n / 8)}${"1,".repeat(n)}1${"]".repeat(n / 8)}`,
  "damaged plants": (n) => damage(toPlants(n, plant)),
};

/** Tokens files that grow with `n`. */
const TOKENS: Readonly<Record<string, Write>> = {
  "users": (n) => toUsers(n, user),
  "users with invalid names": (n) =>
    toUsers(n, (at) => `"\\u0000${at}": ${toUser("{}")}`),
  "a user with many tags": (n) =>
    `{"u": ${toUser(`{"tags": [${repeat(n, (at) => `"${at}"`)}]}`)}}`,
  "a user with invalid tags": (n) =>
    `{"u": ${toUser(`{"tags": [${repeat(n, () => "1")}]}`)}}`,
  "a user with many keys": (n) =>
    `{"u": {${repeat(n, (at) => `"key ${at}": 1`)}}}`,
  "duplicate users": (n) => toUsers(n, () => `"u": ${toUser("{}")}`),
  "users with the same token": (n) =>
    toUsers(n, (at) => `"user ${at}": ${toUser("{}", toToken(1))}`),
  "damaged users": (n) => damage(toUsers(n, user)),
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
      assertEquals(await measureSlow(run, write), undefined);
    });
  }
}
