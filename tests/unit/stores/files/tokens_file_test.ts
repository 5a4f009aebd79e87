import { test } from "node:test";
import { assertEquals, assertNotMatch } from "@std/assert";
import { parseTokens } from "../../../../src/stores/files/store_files.ts";
import { digest } from "../../../contract/stores.ts";
import { findProblems, testDamage } from "../../../support/json_files.ts";

const A = "a".repeat(64);
const S3CRET = digest("s3cret");

/** A user in the file. */
const user = (tokens: string, plants = '"all"') =>
  `{"plants": ${plants}, "tokens": ${tokens}}`;
const withTokens = (tokens: string) => `{"u": ${user(tokens)}}`;
const withPlants = (plants: string) => `{"u": ${user("[]", plants)}}`;
const withBehavior = (behavior: string) =>
  `{"u": {"plants": "all", "tokens": [],\n"behavior": ${behavior}}}`;

const BAD_ACCESS = '1:18: expected "all" or an object with tags and names';
const BAD_DIGEST = "1:47: sha256 must be 64 lowercase hexadecimal digits";
const BAD_TOKEN =
  "a token must consist of letters, digits, and -._~+/, optionally followed by =";
const NOT_A_TOKEN =
  '1:36: 64 hexadecimal digits are ambiguous; use {"token": "..."} or {"sha256": "..."}';
const EITHER = '1:36: expected a token, {"token": "..."}, or {"sha256": "..."}';
const DUPLICATE = "duplicate token; remove one of the duplicates";
const BAD_NAME =
  "1:2: a user name must not be empty or contain control characters";
const BAD_DATE =
  "2:12: expires must be a date like 2030-01-31, or a date and time like 2030-01-31T12:00:00Z";
const BAD_DELAY =
  '2:23: delay must be a number of milliseconds from 0 to 5000, or a range such as "200-800"';
const BAD_FAIL =
  '2:22: fail must be a pattern such as "2/3" or a rate such as "20%", with numbers from 1 to 100';

const INVALID: readonly (readonly [content: string, problem: string])[] = [
  [
    "[]",
    '1:1: expected an object such as {"florist": {"plants": "all", "tokens": []}}',
  ],
  ['{"u": "x"}', "1:7: expected a user object"],
  ['{"__proto__": 1}', "1:15: expected a user object"],
  ['{"u": {"tokens": []}}', '1:7: missing required property "plants"'],
  ['{"u": {"plants": {}}}', '1:7: missing required property "tokens"'],
  [withPlants('"some"'), BAD_ACCESS],
  [withPlants('{"tags": "x"}'), "1:27: expected an array of tags"],
  [withPlants('{"tags": ["x", ""]}'), "1:33: a tag must be a non-empty string"],
  [
    withPlants('{"tag": ["x"]}'),
    '1:19: unknown property "tag"; use tags or names',
  ],
  [withTokens("{}"), "1:35: expected an array of tokens"],
  [withTokens("[1]"), EITHER],
  [withTokens('[{"expires": "2030-01-01"}]'), EITHER],
  [withTokens(`[{"token": "s3cret", "sha256": "${A}"}]`), EITHER],
  [withTokens('["s3cret s"]'), `1:36: ${BAD_TOKEN}`],
  [withTokens('[""]'), `1:36: ${BAD_TOKEN}`],
  [withTokens('[{"token": "s3cret s"}]'), `1:46: ${BAD_TOKEN}`],
  [withTokens('[{"sha256": 1}]'), BAD_DIGEST],
  [withTokens(`[{"sha256": "${A}0"}]`), BAD_DIGEST],
  [withTokens(`[{"sha256": "${A.toUpperCase()}"}]`), BAD_DIGEST],
  [
    withTokens(`[{"sha256": "${A}", "s3cret": 1}]`),
    "1:115: unknown property; delete it, or use token or sha256 or expires",
  ],
  ...[A, A.toUpperCase()].map((digest) =>
    [withTokens(`["${digest}"]`), NOT_A_TOKEN] as const
  ),
  [
    '{"u": {"plants": "all", "tokens": [], "s3cret": 1}}',
    "1:39: unknown property; delete it, or use plants or behavior or tokens",
  ],
  ...["-1", "1.5", "-1.5", "5001", '"5-4"', '"0-5001"', '"5"', "[5]", "null"]
    .map((
      delay,
    ) => [withBehavior(`{"delay": ${delay}}`), BAD_DELAY] as const),
  ...['"0/3"', '"4/3"', '"1/101"', '"0%"', '"101%"', '"1.5%"', '"2"', '""', "2"]
    .map((fail) => [withBehavior(`{"fail": ${fail}}`), BAD_FAIL] as const),
  ...["200", '"503"', "null"].map((status) =>
    [
      withBehavior(`{"status": ${status}}`),
      "2:24: status must be 429, 500, or 503",
    ] as const
  ),
  [withBehavior("[]"), "2:13: expected a behavior object"],
  [
    withBehavior('{"rate": 1}'),
    '2:14: unknown property "rate"; use delay or fail or status',
  ],
  ...[
    ...["2026-02-30", "2026-13-01", "tomorrow", "2026-01-01T00:00:00"],
    ...["2026-1-1", "20260101", "2026-01-01T24:00:00Z", "", " 2026-01-01", 0],
  ].map((date) =>
    [
      withTokens(`[{"sha256": "${A}",\n"expires": ${JSON.stringify(date)}}]`),
      BAD_DATE,
    ] as const
  ),
  [
    withTokens(`[{"sha256": "${A}"},\n{"sha256": "${A}"}]`),
    `2:1: ${DUPLICATE}`,
  ],
  [withTokens('["s3cret",\n{"token": "s3cret"}]'), `2:1: ${DUPLICATE}`],
  [withTokens(`[{"sha256": "${S3CRET}"},\n"s3cret"]`), `2:1: ${DUPLICATE}`],
  [
    `{"u": ${user('["s3cret"]')},\n"v": ${user('["s3cret"]')}}`,
    `2:35: ${DUPLICATE}`,
  ],
  [`{"u": ${user("[]")},\n"u": ${user("[]")}}`, "2:1: duplicate property"],
  [`{"$schema": ${user("[]")}}`, "1:2: $schema cannot be a user name"],
  [`{"a\\u007f": ${user("[]")}}`, BAD_NAME],
  [`{"": ${user("[]")}}`, BAD_NAME],
  [`{"\\ud800": ${user("[]")}}`, BAD_NAME],
];

for (const [content, expected] of INVALID) {
  test(`parseTokens() rejects ${JSON.stringify(content)}`, async () => {
    const problems = await findProblems(parseTokens, content);
    assertEquals(problems, [expected]);
    assertNotMatch(problems[0]!, /s3cret|aaaa/);
  });
}

const VALID = {
  $schema: "./tokens.schema.json",
  curator: {
    plants: "all",
    tokens: [
      { sha256: A },
      { token: A },
      "a.b-c_d~e+f/g==",
      { token: "a" },
      { token: "b", expires: "2024-02-29" },
      { sha256: A.replace("a", "1"), expires: "2030-01-31T12:00:00Z" },
      { sha256: A.replace("a", "2"), expires: "2030-01-31T12:00:00+02:00" },
    ],
  },
  constructor: { plants: { tags: ["x"], names: ["y", "z"] }, tokens: [] },
  slow: { plants: {}, behavior: { delay: 5_000 }, tokens: [] },
  flaky: {
    plants: {},
    behavior: { delay: "0-5000", fail: "1/100" },
    tokens: [],
  },
  rate: {
    plants: {},
    behavior: { delay: 0, fail: "100%", status: 429 },
    tokens: [],
  },
  none: { plants: {}, behavior: {}, tokens: [] },
};

test("parseTokens() accepts every form of access, token, date, and behavior", async () => {
  assertEquals(await findProblems(parseTokens, JSON.stringify(VALID)), []);
});

testDamage("parseTokens()", parseTokens, VALID);
