import { readdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { test } from "node:test";
import {
  assert,
  assertEquals,
  assertNotMatch,
  assertRejects,
} from "@std/assert";
import fc from "../support/fast_check.ts";
import { parseTree } from "jsonc-parser";
import { PROGRAM } from "../../src/stores/catalog/program.ts";
import { StoreFileError } from "../../src/stores/files/file_error.ts";
import {
  parseTokens,
  readUserRecords,
  updateUser,
} from "../../src/stores/files/tokens_file.ts";
import { writeFiles } from "../support/files.ts";
import { type Json, testDamage } from "../support/json_files.ts";
import { findProblems } from "../support/problems.ts";
import { nameText } from "../support/text.ts";

const A = "a".repeat(64);

/** A user in the file. */
const user = (tokens: string, plants = '"all"') =>
  `{"plants": ${plants}, "tokens": ${tokens}}`;
const withTokens = (tokens: string) => `{"u": ${user(tokens)}}`;
const withPlants = (plants: string) => `{"u": ${user("[]", plants)}}`;
const withBehavior = (behavior: string) =>
  `{"u": {"plants": "all", "tokens": [],\n"behavior": ${behavior}}}`;

const BAD_ACCESS = '1:18: expected "all" or an object with tags and names';
const BAD_DIGEST = "1:47: sha256 must be 64 lowercase hexadecimal digits";
const LIKE_TOKEN =
  `this looks like a token, but the file must contain digests; remove it, then run: ${PROGRAM} token add u --tokens "a file.json"`;
const BAD_NAME =
  "1:2: a user name must be non-empty, well-formed Unicode without control characters";
const BAD_DATE =
  "2:12: expires must be a date like 2030-01-31, or a date and time like 2030-01-31T12:00:00Z";
const BAD_DELAY =
  '2:23: delay must be from 0 to 5000 milliseconds, such as 500 or "200-800"';
const BAD_FAIL =
  '2:22: fail must be a pattern such as "2/3" or a rate such as "20%", with numbers from 1 to 100';

const INVALID: readonly (readonly [content: string, problem: string])[] = [
  ["[]", "1:1: expected an object of users keyed by name"],
  ['{"u": "x"}', "1:7: expected a user object"],
  ['{"__proto__": 1}', "1:15: expected a user object"],
  ['{"u": {"tokens": []}}', '1:7: missing required property "plants"'],
  ['{"u": {"plants": {}}}', '1:7: missing required property "tokens"'],
  [withPlants('"some"'), BAD_ACCESS],
  [withPlants("null"), BAD_ACCESS],
  [withPlants('{"tags": "x"}'), "1:27: expected an array of tags"],
  [withPlants('{"tags": ["x", ""]}'), "1:33: a tag must be a non-empty string"],
  [
    withPlants('{"tag": ["x"]}'),
    '1:19: unknown property "tag"; allowed: tags, names',
  ],
  [withTokens("{}"), "1:35: expected an array of tokens"],
  [
    withTokens('["s3cret"]'),
    `1:36: ${LIKE_TOKEN}`,
  ],
  [withTokens('[{"sha256": "s3cret"}]'), `1:47: ${LIKE_TOKEN}`],
  [withTokens("[1]"), '1:36: expected {"sha256": "..."}'],
  [withTokens('["a b"]'), '1:36: expected {"sha256": "..."}'],
  [withTokens(`["${A}"]`), '1:36: expected {"sha256": "..."}'],
  [withTokens('[{"sha256": 1}]'), BAD_DIGEST],
  [withTokens(`[{"sha256": "${A}0"}]`), BAD_DIGEST],
  [
    withTokens(`[{"sha256": "${A}",\n"created": "soon"}]`),
    BAD_DATE.replace("expires", "created"),
  ],
  [withTokens(`[{"sha256": "${A.toUpperCase()}"}]`), BAD_DIGEST],
  [
    withTokens(`[{"sha256": "${A}", "s3cret": 1}]`),
    "1:115: unknown property; allowed: sha256, created, expires",
  ],
  [
    '{"u": {"plants": "all", "tokens": [], "s3cret": 1}}',
    "1:39: unknown property; allowed: plants, behavior, tokens",
  ],
  ...["-1", "1.5", "-1.5", "5001", '"5-4"', '"0-5001"', '"5"', "[5]", "null"]
    .map((
      delay,
    ) => [withBehavior(`{"delay": ${delay}}`), BAD_DELAY] as const),
  ...['"0/3"', '"4/3"', '"1/101"', '"0%"', '"101%"', '"1.5%"', '"2"', '""', "2"]
    .map((fail) => [withBehavior(`{"fail": ${fail}}`), BAD_FAIL] as const),
  [withBehavior("[]"), "2:13: expected an object with delay and fail"],
  [
    withBehavior('{"rate": 1}'),
    '2:14: unknown property "rate"; allowed: delay, fail',
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
    "2:12: duplicate token digest; remove one of the duplicates",
  ],
  [
    `{"u": ${user(`[{"sha256": "${A}"}]`)},\n"v": ${
      user(`[{"sha256": "${A}"}]`)
    }}`,
    "2:46: duplicate token digest; remove one of the duplicates",
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
      { sha256: A.replace("a", "0"), created: "2024-02-29" },
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
  rate: { plants: {}, behavior: { delay: 0, fail: "100%" }, tokens: [] },
  none: { plants: {}, behavior: {}, tokens: [] },
};

test("parseTokens() accepts every form of access, date, and behavior", async () => {
  assertEquals(await findProblems(parseTokens, JSON.stringify(VALID)), []);
});

testDamage("parseTokens()", parseTokens, VALID);

const addUser = () => ({ plants: {}, tokens: [] });

for (const indent of ["\t", " ".repeat(12)]) {
  test(`updateUser() keeps the byte order mark, line endings, and indentation by ${JSON.stringify(indent)}`, async (t) => {
    const toText = (...users: string[]) =>
      `\uFEFF{\r\n${users.join(",\r\n")}\r\n}`.replaceAll("\t", indent);
    const user = '\t"b": {\r\n\t\t"plants": {},\r\n\t\t"tokens": []\r\n\t}';
    const { tokens } = await writeFiles(t, { tokens: toText(user) });
    await updateUser(tokens, "7", addUser);
    const expected = toText(user, user.replace("b", "7"));
    assertEquals(await readFile(tokens, "utf8"), expected);
  });
}

for (
  const [name, content, user, message] of [
    ["a file that is not JSON", "{", "7", "invalid JSON"],
    ["an invalid file", '{"u": {}}', "7", "missing required property"],
    ["a name that would make the file invalid", "{}", "", "a user name"],
  ] as const
) {
  test(`updateUser() rejects ${name} and writes nothing`, async (t) => {
    const { tokens } = await writeFiles(t, { tokens: content });
    const update = () => updateUser(tokens, user, addUser);
    await assertRejects(update, StoreFileError, message);
    assertEquals(await readFile(tokens, "utf8"), content);
    const files = await readdir(dirname(tokens));
    assertEquals(files.sort(), ["plants.json", "tokens.json"]);
  });
}

/** An edit of one of these users. */
const NAMES = ["curator", "__proto__", "constructor", "42", 'a "b"'];
const edit = fc.record({
  kind: fc.constantFrom("set", "add", "revoke", "remove"),
  user: fc.constantFrom(...NAMES),
  tag: nameText,
  token: fc.nat(3),
});

/** Tokens files with different layouts. */
const STARTS = [
  "{}",
  "{ }\n",
  "{\r\n}\r\n",
  '\uFEFF{\n\t"$schema": "x"\n}',
  ...[undefined, 2, "\t"].map((space) => {
    const users = { $schema: "x", curator: { plants: "all", tokens: [] } };
    return JSON.stringify(users, null, space);
  }),
  '{"42": {"plants": "all", "tokens": [ ]}, "curator": {"plants": {}, "tokens": []} }',
];

test("updateUser() changes one user and keeps the text of the others", async (t) => {
  let created = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(edit, { maxLength: 12 }),
      fc.constantFrom(...STARTS),
      async (edits, start) => {
        const { tokens } = await writeFiles(t, { tokens: start });
        const expected = new Map<string, Json>(await readUserRecords(tokens));
        for (const { kind, user, tag, token } of edits) {
          const record = expected.get(user);
          if (!record && kind !== "set") continue;
          let after = record && { ...record };
          if (kind === "set") {
            after = { plants: { tags: [tag] }, tokens: record?.tokens ?? [] };
          } else if (kind === "add") {
            const added = { sha256: `${++created}`.padStart(64, "0") };
            after.tokens = [...record.tokens, added];
          } else if (kind === "revoke") {
            after.tokens = record.tokens.toSpliced(token, 1);
          } else after = undefined;
          const before = await readOthers(tokens, user);
          await updateUser(tokens, user, (found) => {
            assertEquals(found, record);
            return after;
          });
          assertEquals(await readOthers(tokens, user), before);
          if (after) expected.set(user, after);
          else expected.delete(user);
          assertEquals(
            toSorted(await readUserRecords(tokens)),
            toSorted(expected),
          );
        }
        const text = await readFile(tokens, "utf8");
        assertEquals(text.startsWith("\uFEFF"), start.startsWith("\uFEFF"));
        assertEquals(/"\$schema": ?"x"/.test(text), start.includes("$schema"));
        if (start.includes("\r\n")) assert(!/[^\r]\n/.test(text), text);
        // A file without users gets several lines.
        if (/^\{"\$schema.+\}$/.test(start)) assert(!text.includes("\n"), text);
      },
    ),
    { numRuns: 30 },
  );
});

/** Returns the text of each user in a tokens file except one. */
async function readOthers(path: string, name: string): Promise<string[]> {
  const text = (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  return parseTree(text)!.children!
    .filter(({ children }) => children![0]!.value !== name)
    .map(({ offset, length }) => text.slice(offset, offset + length));
}

/** Sorts users by name, because JSON.parse reorders numbers. */
function toSorted(users: ReadonlyMap<string, unknown>): unknown {
  return [...users].sort(([one], [other]) => one < other ? -1 : 1);
}
