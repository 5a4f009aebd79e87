import { test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import { StoreFileError } from "../../src/stores/file_error.ts";
import { parsePlants } from "../../src/stores/plants_file.ts";
import { testDamage } from "../support/json_files.ts";
import { findProblems, PATH } from "../support/problems.ts";

const INVALID: readonly (readonly [content: string, ...string[]])[] = [
  ["{}", "1:1: expected an array of plants"],
  ['[{"name": "a"},\n 5]', "2:2: expected a plant object"],
  ['[\n  {"tag": "x"}\n]', '2:3: missing required property "name"'],
  ['[{"name": "a",\r\n"tag": null}]', "2:8: tag must be a non-empty string"],
  [
    '[{"name": "a", "colour": 1}]',
    '1:16: unknown property "colour"; allowed: name, tag',
  ],
  [
    '[{"\uFEFFname": "a", "éname": "b"}]',
    '1:2: missing required property "name"',
    '1:3: unknown property "\uFEFFname"; allowed: name, tag',
  ],
  [
    '[{"name": "a\\u0000"}]',
    "1:11: name must be well-formed Unicode without U+0000",
  ],
  [
    '[{"name": ""},\n{"name": "a", "tag": ""},\n{}]',
    "1:11: name must be a non-empty string",
    "2:22: tag must be a non-empty string",
    '3:1: missing required property "name"',
  ],
  [
    '[{"name": "\u{1F33F}", "tag": 1}]',
    "1:24: tag must be a non-empty string",
  ],
];

for (const [content, ...expected] of INVALID) {
  test(`parsePlants() rejects ${JSON.stringify(content)}`, async () => {
    assertEquals(await findProblems(parsePlants, content), expected);
  });
}

test("parsePlants() reports the first 20 problems and counts the rest", async () => {
  const plants = Array(50_000).fill({ name: "" });
  const bytes = new TextEncoder().encode(JSON.stringify(plants));
  const error = await assertRejects(
    async () => await parsePlants(PATH, bytes),
    StoreFileError,
  );
  assertEquals([error.problems.length, error.more], [20, 49_980]);
});

test("parsePlants() keeps the order and repeated names", async () => {
  const text =
    '\uFEFF[{"tag": "x", "name": "b"}, {"name": "a"}, {"name": "b"}]';
  assertEquals(await parsePlants(PATH, new TextEncoder().encode(text)), [
    { name: "b", tag: "x" },
    { name: "a" },
    { name: "b" },
  ]);
});

testDamage("parsePlants()", parsePlants, [
  { name: "a", tag: "x" },
  { name: "\u{1F33F}" },
]);
