import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { parsePlants } from "../../../../src/stores/files/store_files.ts";
import { findProblems, testDamage } from "../../../support/json_files.ts";

const DEEP = "[".repeat(200_000);
const TOO_DEEP = "1:1: the values are nested too deeply";
const SYNTAX = "invalid JSON:";
const TRAILING = "(trailing comma?)";

/** The bytes of Latin-1 text. */
const latin1 = (text: string) =>
  Uint8Array.from(text, (byte) => byte.charCodeAt(0));

type Content = string | Uint8Array;
const INVALID: readonly (readonly [content: Content, ...string[]])[] = [
  ["", `1:1: ${SYNTAX} the file is empty`],
  [" \n ", `2:2: ${SYNTAX} the file is empty`],
  ['[\n  {"name": "a"},\n  {"na', `3:4: ${SYNTAX} unexpected end of string`],
  ['[\n  "a"\n  "b"\n]', `3:3: ${SYNTAX} expected a comma`],
  ['["a",\n]', `2:1: ${SYNTAX} expected a value ${TRAILING}`],
  ["[1, [}", `1:6: ${SYNTAX} expected a value`],
  ['{"a": 1,}', `1:9: ${SYNTAX} expected a property name ${TRAILING}`],
  ["// plants\n[]", "1:1: JSON does not allow comments"],
  ["[/* x */]", "1:2: JSON does not allow comments"],
  ["[] []", `1:4: ${SYNTAX} expected the end of file`],
  ['["a\tb"]', `1:2: ${SYNTAX} invalid character`],
  [latin1('[\n{"name": "\xC3\xA9\xFF"}]'), "2:12: invalid UTF-8"],
  [latin1('[\r"\xFF"]'), "2:2: invalid UTF-8"],
  [latin1('\xEF\xBB\xBF[\n"\xFF"]'), "2:2: invalid UTF-8"],
  [latin1('\xEF\xBB\xBF["\xFF"]'), "1:3: invalid UTF-8"],
  [latin1('["\xF0\x9F'), "1:3: invalid UTF-8"],
  [latin1('["\xEF\xBF\xBD",\n"\xFF"]'), "2:2: invalid UTF-8"], // U+FFFD is valid
  ...["\xFF\xFE[\0]\0", "\xFE\xFF\0[\0]"].map((text) =>
    [latin1(text), "1:1: the file is UTF-16; save it as UTF-8"] as const
  ),
  ['[{"name": 1, "n\\u0061me": 2}]', "1:14: duplicate property"],
  [
    String.raw`[{"tag": "a\\\"", "name": "\u0022\\", "tag": "b"}]`,
    "1:39: duplicate property",
  ],
  // An unknown property can be a secret.
  ['{"__proto__": 1,\n"__proto__": 2}', "2:1: duplicate property"],
  [DEEP, TOO_DEEP],
  [`${DEEP}${"]".repeat(DEEP.length)}`, TOO_DEEP],
  [
    '[{"tag": {"tag": 1}}]',
    '1:2: missing required property "name"',
    "1:10: tag must be a non-empty string",
  ],
  ["[{'name': 1}]", `1:3: ${SYNTAX} use straight double quotes`],
  ["[{“name”: 1}]", `1:3: ${SYNTAX} use straight double quotes`],
  ["[]\ufeff[]", String.raw`1:3: ${SYNTAX} invalid symbol "\ufeff"`],
  ["[\u{1F33F}]", `1:2: ${SYNTAX} invalid symbol "\u{1F33F}"`],
  ["[s3cret]", `1:2: ${SYNTAX} invalid symbol`],
  ["[]\0\0", String.raw`1:3: ${SYNTAX} invalid symbol "\u0000"`],
  ["[]\x1a\n", String.raw`1:3: ${SYNTAX} invalid symbol "\u001a"`],
  ["{}", '1:1: expected an array such as [{"name": "Rosa canina"}]'],
  ['[{"name": "a"},\n 5]', "2:2: expected a plant object"],
  ['[\n  {"tag": "x"}\n]', '2:3: missing required property "name"'],
  ['[{"name": "a",\r\n"tag": null}]', "2:8: tag must be a non-empty string"],
  [
    '[{"name": "a", "colour": 1}]',
    '1:16: unknown property "colour"; use name or tag',
  ],
  [
    '[{"\uFEFFname": "a", "éname": "b"}]',
    '1:2: missing required property "name"',
    String.raw`1:3: unknown property "\ufeffname"; use name or tag`,
  ],
  [
    '[{"name": "a\\u0000"}]',
    "1:11: name contains an invalid character (U+0000 or a lone surrogate)",
  ],
  [
    '[{"tag": "", "name": ""},\n{}]',
    "1:10: tag must be a non-empty string",
    "1:22: name must be a non-empty string",
    '2:1: missing required property "name"',
  ],
  [
    '[{"name": "\u{1F33F}", "tag": 1}]',
    "1:24: tag must be a non-empty string",
  ],
];

for (const [content, ...expected] of INVALID) {
  const name = JSON.stringify(`${content}`).slice(0, 60);
  test(`parsePlants() rejects ${name}`, async () => {
    assertEquals(await findProblems(parsePlants, content), expected);
  });
}

test("parsePlants() keeps the order and repeated names", async () => {
  const text =
    '\uFEFF[{"tag": "x", "name": "b"}, {"name": "a"}, {"name": "b"}]';
  const bytes = new TextEncoder().encode(text);
  assertEquals(await parsePlants("a file", bytes), [
    { name: "b", tag: "x" },
    { name: "a" },
    { name: "b" },
  ]);
});

testDamage("parsePlants()", parsePlants, [
  { name: "a", tag: "x" },
  { name: "\u{1F33F}" },
]);
