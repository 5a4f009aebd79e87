import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { parseJson } from "../../src/stores/files/json.ts";
import { type Content, findProblems } from "../support/problems.ts";

/** Accepts every object. */
const parse = (path: string, bytes: Uint8Array) =>
  parseJson<number>(path, bytes, {
    isArray: true,
    expected: "expected an array",
    add(index, item, problems) {
      if (!Array.isArray(item)) return;
      problems.add({ path: [index], message: "expected an object" });
    },
  });

const DEEP = "[".repeat(200_000);
const TOO_DEEP = "1:1: the values are nested too deeply";
const INVALID = "invalid JSON:";
const TRAILING = "(trailing comma?)";

for (
  const [content, expected] of [
    ["", `1:1: ${INVALID} the file is empty`],
    [" \n ", `2:2: ${INVALID} the file is empty`],
    ['[\n  {"name": "a"},\n  {"na', `3:4: ${INVALID} unexpected end of string`],
    ['[\n  "a"\n  "b"\n]', `3:3: ${INVALID} expected a comma`],
    ['["a",\n]', `2:1: ${INVALID} expected a value ${TRAILING}`],
    ["[1, [}", `1:6: ${INVALID} expected a value`],
    ['{"a": 1,}', `1:9: ${INVALID} expected a property name ${TRAILING}`],
    ["// plants\n[]", "1:1: JSON does not allow comments"],
    ["[/* x */]", "1:2: JSON does not allow comments"],
    ["[] []", `1:4: ${INVALID} expected the end of file`],
    ['["a\tb"]', `1:2: ${INVALID} invalid character`],
    [{ latin1: '[\n{"name": "\xC3\xA9\xFF"}]' }, "2:12: invalid UTF-8"],
    [{ latin1: '[\r"\xFF"]' }, "2:2: invalid UTF-8"],
    [{ latin1: '\xEF\xBB\xBF[\n"\xFF"]' }, "2:2: invalid UTF-8"],
    [{ latin1: '\xEF\xBB\xBF["\xFF"]' }, "1:3: invalid UTF-8"],
    [{ latin1: '["\xF0\x9F' }, "1:3: invalid UTF-8"],
    [{ latin1: "\xFF\xFE[\0]\0" }, "1:1: invalid UTF-8"],
    [
      '[{"name": 1, "n\\u0061me": 2}]',
      '1:14: duplicate property "name"',
    ],
    // An unknown property can be a secret.
    ['{"__proto__": 1,\n"__proto__": 2}', "2:1: duplicate property"],
    [DEEP, TOO_DEEP],
    [`${DEEP}${"]".repeat(DEEP.length)}`, TOO_DEEP],
    ['[{"a": {"a": 1}}, {"a": 2}]', undefined],
  ] as readonly (readonly [Content, string | undefined])[]
) {
  const title = expected === undefined ? "accepts" : "rejects";
  test(`parseJson() ${title} ${JSON.stringify(content).slice(0, 60)}`, async () => {
    const problems = await findProblems(parse, content);
    assertEquals(problems, expected === undefined ? [] : [expected]);
  });
}
