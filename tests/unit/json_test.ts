import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { parseJson } from "../../src/stores/json.ts";
import { type Content, findProblems } from "../support/problems.ts";

const DEEP = "[".repeat(200_000);

for (
  const [name, content, expected] of [
    ["an empty file", "", "1:1: invalid JSON: the file is empty"],
    ["a blank file", " \n ", "2:2: invalid JSON: the file is empty"],
    [
      "a truncated file",
      '[\n  {"name": "a"},\n  {"na',
      "3:4: invalid JSON: unexpected end of string",
    ],
    [
      "a missing comma",
      '[\n  {"name": "a"}\n  {"name": "b"}\n]',
      "3:3: invalid JSON: expected a comma",
    ],
    [
      "a trailing comma in an array",
      '[{"name": "a"},]',
      "1:16: invalid JSON: expected a value (trailing comma?)",
    ],
    [
      "a trailing comma in an object",
      '[{"name": "a",}]',
      "1:15: invalid JSON: expected a property name (trailing comma?)",
    ],
    ["a comment", "// plants\n[]", "1:1: invalid JSON: invalid comment token"],
    ["two values", "[] []", "1:4: invalid JSON: expected the end of file"],
    [
      "a control character",
      '[{"name": "a\tb"}]',
      "1:11: invalid JSON: invalid character",
    ],
    [
      "invalid UTF-8",
      { latin1: '[\n{"name": "\xC3\xA9\xFF"}]' },
      "2:12: not UTF-8",
    ],
    [
      "invalid UTF-8 after a carriage return",
      { latin1: '[\r"\xFF"]' },
      "2:2: not UTF-8",
    ],
    [
      "invalid UTF-8 after a byte order mark",
      { latin1: '\xEF\xBB\xBF[\n"\xFF"]' },
      "2:2: not UTF-8",
    ],
    [
      "invalid UTF-8 on the same line as a byte order mark",
      { latin1: '\xEF\xBB\xBF["\xFF"]' },
      "1:3: not UTF-8",
    ],
    ["truncated UTF-8", { latin1: '["\xF0\x9F' }, "1:3: not UTF-8"],
    ["UTF-16", { latin1: "\xFF\xFE[\0]\0" }, "1:1: not UTF-8"],
    [
      "a duplicate property",
      '[{"name": "a",\n"name": "b"}]',
      '2:1: duplicate property "name"',
    ],
    [
      "an escaped duplicate property",
      '[{"name": "a", "n\\u0061me": "b"}]',
      '1:16: duplicate property "name"',
    ],
    [
      "a duplicate property that could be a secret",
      '{"__proto__": 1,\n"__proto__": 2}',
      "2:1: duplicate property",
    ],
    ["deeply nested values", DEEP, "1:1: the values are nested too deeply"],
    [
      "deeply nested values in valid JSON",
      `${DEEP}${"]".repeat(DEEP.length)}`,
      "1:1: the values are nested too deeply",
    ],
  ] as readonly (readonly [string, Content, string])[]
) {
  test(`parseJson() rejects ${name}`, async () => {
    assertEquals(await findProblems(parseJson, content), [expected]);
  });
}

test("parseJson() accepts a property in several objects", async () => {
  const text = '[{"a": {"a": 1}}, {"a": 2}]';
  assertEquals(await findProblems(parseJson, text), []);
});
