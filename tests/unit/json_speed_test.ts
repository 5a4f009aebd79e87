import { test } from "node:test";
import { assert } from "@std/assert";
import { StoreFileError } from "../../src/stores/file_error.ts";
import { parsePlants } from "../../src/stores/plants_file.ts";
import { parseTokens, updateUser } from "../../src/stores/tokens_file.ts";
import { writeFiles } from "../support/files.ts";
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

/** Removes the character in the middle. */
const damage = (text: string) =>
  text.slice(0, text.length / 2) + text.slice(text.length / 2 + 1);

/** Files that grow with `n`. */
const FILES: readonly (readonly [
  name: string,
  parse: (path: string, bytes: Uint8Array) => unknown,
  write: (n: number) => string,
])[] = [
  ["plants", parsePlants, (n) => toPlants(n, plant)],
  [
    "plants with invalid names",
    parsePlants,
    (n) => toPlants(n, () => '{"name": ""}'),
  ],
  [
    "plants with invalid tags",
    parsePlants,
    (n) => toPlants(n, () => '{"name": "a", "tag": 1}'),
  ],
  [
    "a plant with many keys",
    parsePlants,
    (n) => `[{${repeat(n, (at) => `"key ${at}": 1`)}}]`,
  ],
  [
    "plants with duplicate keys",
    parsePlants,
    (n) => toPlants(n, () => '{"name": "a", "name": "b"}'),
  ],
  ["damaged plants", parsePlants, (n) => damage(toPlants(n, plant))],
  ["users", parseTokens, (n) => toUsers(n, user)],
  [
    "users with invalid names",
    parseTokens,
    (n) => toUsers(n, (at) => `"\\u0000${at}": ${toUser("{}")}`),
  ],
  [
    "a user with many tags",
    parseTokens,
    (n) => `{"u": ${toUser(`{"tags": [${repeat(n, (at) => `"${at}"`)}]}`)}}`,
  ],
  [
    "a user with invalid tags",
    parseTokens,
    (n) => `{"u": ${toUser(`{"tags": [${repeat(n, () => "1")}]}`)}}`,
  ],
  [
    "a user with many keys",
    parseTokens,
    (n) => `{"u": {${repeat(n, (at) => `"key ${at}": 1`)}}}`,
  ],
  [
    "duplicate users",
    parseTokens,
    (n) => toUsers(n, () => `"u": ${toUser("{}")}`),
  ],
  [
    "users with the same token",
    parseTokens,
    (n) => toUsers(n, (at) => `"user ${at}": ${toUser("{}", toToken(1))}`),
  ],
  ["damaged users", parseTokens, (n) => damage(toUsers(n, user))],
];

/** The size of a file, and how many times as large the other file is. */
const SIZE = 1_000, TIMES = 8;

/** The maximum ratio of the durations. */
const MAX_RATIO = 24;

/** Fails unless the duration of `run` grows linearly with its argument. */
async function assertLinear(
  prepare: (n: number) => () => unknown,
): Promise<void> {
  const ratios: number[] = [];
  // Other processes can delay an attempt.
  for (let attempt = 0; attempt < 2; attempt++) {
    const small = await measure(prepare(SIZE));
    ratios.push(await measure(prepare(SIZE * TIMES)) / small);
    if (ratios[attempt]! <= MAX_RATIO) return;
  }
  throw new Error(`${TIMES} times the size takes ${ratios} times as long`);
}

/** Returns the shortest of several durations, in milliseconds. */
async function measure(run: () => unknown): Promise<number> {
  let shortest = Infinity;
  for (let round = 0; round < 10; round++) {
    const start = performance.now();
    await run();
    shortest = Math.min(shortest, performance.now() - start);
  }
  return shortest;
}

for (const [name, parse, write] of FILES) {
  test(`the time to read ${name} is linear`, async () => {
    await assertLinear((n) => {
      const bytes = new TextEncoder().encode(write(n));
      return async () => {
        try {
          await parse(PATH, bytes);
        } catch (error) {
          assert(error instanceof StoreFileError, String(error));
        }
      };
    });
  });
}

test("the time to add a user with many tags is linear", async (t) => {
  const { tokens } = await writeFiles(t, { tokens: "{\n}" });
  await assertLinear((n) => {
    const tags = Array.from({ length: n }, (_, at) => `tag ${at}`);
    return () =>
      updateUser(tokens, "u", () => ({ plants: { tags }, tokens: [] }));
  });
});
