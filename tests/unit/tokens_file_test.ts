import { readdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { test } from "node:test";
import {
  assert,
  assertEquals,
  assertNotMatch,
  assertRejects,
} from "@std/assert";
import fc from "fast-check";
import { parseTree } from "jsonc-parser";
import { StoreFileError } from "../../src/stores/file_error.ts";
import { parseJson } from "../../src/stores/json.ts";
import {
  parseTokens,
  readUserRecords,
  updateUser,
} from "../../src/stores/tokens_file.ts";
import { writeFiles } from "../support/files.ts";
import {
  hasKeys,
  isText,
  type Json,
  mostly,
  object,
  testFiles,
} from "../support/json_files.ts";
import { findProblems } from "../support/problems.ts";
import { anyText, nameText } from "../support/text.ts";

const A = "a".repeat(64);

const parse = (path: string, bytes: Uint8Array) =>
  parseTokens(path, parseJson(path, bytes));

/** A user in the file. */
const user = (tokens: string, plants = '"all"') =>
  `{"plants": ${plants}, "tokens": ${tokens}}`;
const withTokens = (tokens: string) => `{"u": ${user(tokens)}}`;
const withPlants = (plants: string) => `{"u": ${user("[]", plants)}}`;

const BAD_ACCESS = '1:18: expected "all" or an object with tags and names';
const BAD_DIGEST = "1:47: sha256 must be 64 lowercase hexadecimal digits";
const BAD_NAME =
  "1:2: the name of a user must be a non-empty string of well-formed Unicode without control characters";
const BAD_DATE =
  "2:12: expires must be a date like 2030-01-31, or a date and time like 2030-01-31T12:00:00Z";

const INVALID: readonly (readonly [string, content: string, string])[] = [
  ["an array", "[]", "1:1: expected an object of users keyed by name"],
  ["a user that is a string", '{"u": "x"}', "1:7: expected a user object"],
  [
    "an invalid user __proto__",
    '{"__proto__": 1}',
    "1:15: expected a user object",
  ],
  [
    "a user without plants",
    '{"u": {"tokens": []}}',
    '1:7: missing required property "plants"',
  ],
  [
    "a user without tokens",
    '{"u": {"plants": {}}}',
    '1:7: missing required property "tokens"',
  ],
  ["plants that are a word", withPlants('"some"'), BAD_ACCESS],
  ["plants that are an array", withPlants("[]"), BAD_ACCESS],
  ["plants that are null", withPlants("null"), BAD_ACCESS],
  [
    "tags that are a string",
    withPlants('{"tags": "x"}'),
    "1:27: expected an array of tags",
  ],
  [
    "an empty tag",
    withPlants('{"tags": ["x", ""]}'),
    "1:33: a tag must be a non-empty string",
  ],
  [
    "an unknown property of plants",
    withPlants('{"tag": ["x"]}'),
    '1:19: unknown property "tag"; allowed: tags, names',
  ],
  [
    "tokens that are an object",
    withTokens("{}"),
    "1:35: expected an array of tokens",
  ],
  [
    "a plain token",
    withTokens('["s3cret"]'),
    '1:36: expected {"sha256": "..."}; use "plant-store token add u"',
  ],
  [
    "a token instead of its digest",
    withTokens('[{"sha256": "s3cret"}]'),
    BAD_DIGEST,
  ],
  [
    "an upper-case digest",
    withTokens(`[{"sha256": "${A.toUpperCase()}"}]`),
    BAD_DIGEST,
  ],
  [
    "a token as a property of a token",
    withTokens(`[{"sha256": "${A}", "s3cret": 1}]`),
    "1:115: unknown property; allowed: sha256, created, expires",
  ],
  [
    "a token as a property of a user",
    '{"u": {"plants": "all", "tokens": [], "s3cret": 1}}',
    "1:39: unknown property; allowed: plants, tokens",
  ],
  ...[
    ...["2026-02-30", "2026-13-01", "tomorrow", "2026-01-01T00:00:00"],
    ...["2026-1-1", "20260101", "2026-01-01T24:00:00Z", "", " 2026-01-01", 0],
  ].map((date) =>
    [
      `expires ${JSON.stringify(date)}`,
      withTokens(`[{"sha256": "${A}",\n"expires": ${JSON.stringify(date)}}]`),
      BAD_DATE,
    ] as const
  ),
  [
    "a user's duplicate digest",
    withTokens(`[{"sha256": "${A}"},\n{"sha256": "${A}"}]`),
    "2:12: duplicate token digest; remove one of them",
  ],
  [
    "a digest of two users",
    `{"u": ${user(`[{"sha256": "${A}"}]`)},\n"v": ${
      user(`[{"sha256": "${A}"}]`)
    }}`,
    "2:46: duplicate token digest; remove one of them",
  ],
  [
    "a duplicate user",
    `{"u": ${user("[]")},\n"u": ${user("[]")}}`,
    "2:1: duplicate property",
  ],
  [
    "the user $schema",
    `{"$schema": ${user("[]")}}`,
    "1:2: $schema cannot be the name of a user",
  ],
  ["a control character", `{"a\\u007f": ${user("[]")}}`, BAD_NAME],
  ["an empty name", `{"": ${user("[]")}}`, BAD_NAME],
];

for (const [name, content, expected] of INVALID) {
  test(`parseTokens() rejects ${name}`, async () => {
    const problems = await findProblems(parse, content);
    assertEquals(problems, [expected]);
    assertNotMatch(problems[0]!, /s3cret|aaaa/);
  });
}

/** Dates, and whether they are valid. */
const DATES: ReadonlyMap<Json, boolean> = new Map<Json, boolean>([
  ["2030-01-31", true],
  ["2024-02-29", true],
  ["2023-02-29", false],
  ["2030-01-31T12:00:00Z", true],
  ["2030-01-31T12:00:00+02:00", true],
  ["2030-01-31T12:00:00", false],
  ["2030-01-31T24:00:00Z", false],
  ["2030-1-1", false],
  ["tomorrow", false],
  [2030, false],
]);

const isTexts = (value: Json) => Array.isArray(value) && value.every(isText);
const isDate = (value: Json) => DATES.get(value) === true;
const isDigest = (value: Json) =>
  typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isToken = (value: Json) =>
  hasKeys(value, { sha256: isDigest }, { created: isDate, expires: isDate });
const isUser = (value: Json) =>
  hasKeys(value, {
    plants: (each) =>
      each === "all" || hasKeys(each, {}, { tags: isTexts, names: isTexts }),
    tokens: (each) => Array.isArray(each) && each.every(isToken),
  });

function isTokens(value: Json): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return false;
  }
  const users = Object.entries<Json>(value).filter(([user, each]) =>
    user !== "$schema" || typeof each !== "string"
  );
  const digests = users.flatMap(([, user]) =>
    isUser(user) ? user.tokens.map(({ sha256 }: Json) => sha256) : []
  );
  return new Set(digests).size === digests.length &&
    users.every(([name, user]) =>
      isText(name) && name !== "$schema" && !/\p{Cc}/u.test(name) &&
      isUser(user)
    );
}

const hexDigit = fc.constantFrom(..."0123456789abcdef");
const digest = fc.string({ unit: hexDigit, minLength: 64, maxLength: 64 });
const sha256 = fc.oneof(
  { weight: 20, arbitrary: digest },
  { weight: 8, arbitrary: fc.constant(A) },
  fc.constantFrom("A".repeat(64), "a".repeat(63)),
);
const date = fc.oneof(
  { weight: 9, arbitrary: fc.constant("2030-01-31") },
  fc.constantFrom(...DATES.keys()),
);
const text = fc.oneof({ weight: 20, arbitrary: nameText }, anyText);
const texts = fc.array(text, { maxLength: 3 });
const access = fc.oneof(
  fc.constant("all"),
  object({ tags: texts, names: texts }, []),
);
const token = object({ sha256, created: date, expires: date }, ["sha256"]);
const record = object({
  plants: mostly(access),
  tokens: mostly(fc.array(token, { maxLength: 2 })),
}, ["plants", "tokens"]);
const commonName = fc.constantFrom("curator", "__proto__", "constructor", "42");
const name = fc.oneof({ weight: 9, arbitrary: commonName }, anyText);
const tokens = mostly(
  fc.array(fc.tuple(name, mostly(record)), { maxLength: 3 })
    .map((users) => Object.fromEntries(users)),
);

testFiles("parseTokens()", parse, tokens, isTokens);

const addUser = () => ({ plants: {}, tokens: [] });

for (
  const [name, before, after] of [
    [
      "tabs and a byte order mark",
      '\uFEFF{\n\t"b": {\n\t\t"plants": "all",\n\t\t"tokens": []\n\t}\n}',
      '\uFEFF{\n\t"b": {\n\t\t"plants": "all",\n\t\t"tokens": []\n\t},\n\t"7": {\n\t\t"plants": {},\n\t\t"tokens": []\n\t}\n}',
    ],
    [
      "line endings and indentation",
      '{\r\n    "b": {\r\n        "plants": "all",\r\n        "tokens": []\r\n    }\r\n}\r\n',
      '{\r\n    "b": {\r\n        "plants": "all",\r\n        "tokens": []\r\n    },\r\n    "7": {\r\n        "plants": {},\r\n        "tokens": []\r\n    }\r\n}\r\n',
    ],
  ] as const
) {
  test(`updateUser() keeps ${name}`, async (t) => {
    const { tokens } = await writeFiles(t, { tokens: before });
    await updateUser(tokens, "7", addUser);
    assertEquals(await readFile(tokens, "utf8"), after);
  });
}

for (
  const [name, content, user, message] of [
    ["a file that is not JSON", "{", "7", "invalid JSON"],
    ["an invalid file", '{"u": {}}', "7", "missing required property"],
    ["a name that would make the file invalid", "{}", "", "the name of a user"],
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

test("updateUser() reports a missing file", async () => {
  await assertRejects(
    () => updateUser("no/such.json", "7", addUser),
    StoreFileError,
    'cannot read "no/such.json": file not found',
  );
});

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
