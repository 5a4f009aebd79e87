import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { parseTree } from "jsonc-parser";
import { StoreFileError } from "../../src/stores/file_error.ts";
import { parseJson } from "../../src/stores/json.ts";
import { parsePlants } from "../../src/stores/plants_file.ts";
import {
  parseTokens,
  readUserRecords,
  updateUser,
} from "../../src/stores/tokens_file.ts";
import { writeFiles } from "../support/files.ts";
import { anyText, nameText } from "../support/text.ts";

// What a file may hold, told once more by hand: no schema is asked.

type Json = ReturnType<typeof JSON.parse>;

const isObject = (value: Json): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: Json): boolean =>
  typeof value === "string" && value !== "" && !value.includes("\0") &&
  value.isWellFormed();
const isTexts = (value: Json): boolean =>
  Array.isArray(value) && value.every(isText);

/** Whether an object has all of these keys and at most those, each with such a value. */
function hasKeys(
  value: Json,
  needed: Readonly<Record<string, (value: Json) => boolean>>,
  optional: Readonly<Record<string, (value: Json) => boolean>> = {},
): boolean {
  if (!isObject(value)) return false;
  const judges = new Map(Object.entries({ ...needed, ...optional }));
  return Object.keys(needed).every((key) => Object.hasOwn(value, key)) &&
    Object.entries(value).every(([key, each]) => judges.get(key)?.(each));
}

const isPlants = (value: Json): boolean =>
  Array.isArray(value) &&
  value.every((plant) => hasKeys(plant, { name: isText }, { tag: isText }));

/** The dates that are generated, with whether they are any. */
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
const isToken = (value: Json): boolean =>
  hasKeys(value, {
    sha256: (each) => typeof each === "string" && /^[0-9a-f]{64}$/.test(each),
  }, {
    created: (each) => DATES.get(each) === true,
    expires: (each) => DATES.get(each) === true,
  });
const isUser = (value: Json): boolean =>
  hasKeys(value, {
    plants: (each) =>
      each === "all" || hasKeys(each, {}, { tags: isTexts, names: isTexts }),
    tokens: (each) => Array.isArray(each) && each.every(isToken),
  });

function isTokens(value: Json): boolean {
  if (!isObject(value)) return false;
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

const odd = fc.oneof(fc.constant(null), fc.nat(9), fc.jsonValue());

/** Mostly `good`, at times anything. */
const mostly = <T>(good: fc.Arbitrary<T>): fc.Arbitrary<T | Json> =>
  fc.oneof({ weight: 30, arbitrary: good }, odd);

/** An object of these values, at times with a key more or less. */
const object = (
  model: Record<string, fc.Arbitrary<Json>>,
  requiredKeys: string[],
): fc.Arbitrary<Json> =>
  fc.oneof(
    { weight: 30, arbitrary: fc.record(model, { requiredKeys }) },
    fc.record(model, { requiredKeys: [] }),
    fc.tuple(fc.record(model, { requiredKeys }), anyText, fc.nat())
      .map(([value, key, extra]) =>
        Object.fromEntries([...Object.entries(value), [key, extra]])
      ),
  );
const plants = mostly(fc.array(
  mostly(object({
    name: fc.oneof({ weight: 9, arbitrary: nameText }, anyText),
    tag: fc.oneof({ weight: 9, arbitrary: nameText }, anyText),
  }, ["name"])),
  { maxLength: 4 },
));
const sha256 = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.string({
      unit: fc.constantFrom(..."0123456789abcdef"),
      minLength: 64,
      maxLength: 64,
    }),
  },
  { weight: 8, arbitrary: fc.constant("a".repeat(64)) },
  fc.constantFrom("A".repeat(64), "a".repeat(63)),
);
const date = fc.oneof(
  { weight: 9, arbitrary: fc.constant("2030-01-31") },
  fc.constantFrom(...DATES.keys()),
);
const texts = fc.array(fc.oneof({ weight: 20, arbitrary: nameText }, anyText), {
  maxLength: 3,
});
const access = fc.oneof(
  fc.constant("all"),
  object({ tags: texts, names: texts }, []),
);
const user = object({
  plants: mostly(access),
  tokens: mostly(fc.array(
    object({ sha256, created: date, expires: date }, ["sha256"]),
    { maxLength: 2 },
  )),
}, ["plants", "tokens"]);
const userName = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom("curator", "__proto__", "constructor", "42"),
  },
  anyText,
);
const tokens = mostly(
  fc.array(fc.tuple(userName, mostly(user)), { maxLength: 3 })
    .map((users) => Object.fromEntries(users)),
);

/** JSON text as an editor might leave it. */
const layout = fc.constantFrom(undefined, 2, "\t");
const encode = (value: Json, layout: string | number | undefined) =>
  JSON.stringify(value, null, layout).replaceAll("\n", "\r\n");

/** Whether a file is taken; a refusal has to name a place that is in it. */
async function isTaken(
  parse: (path: string, bytes: Uint8Array) => unknown,
  bytes: Uint8Array,
): Promise<boolean> {
  try {
    await parse("a file.json", bytes);
    return true;
  } catch (error) {
    if (!(error instanceof StoreFileError)) throw error;
    assertMatch(error.message, /^a file\.json:\d+:\d+: [^\p{Cc}]+$/u);
    const lines = new TextDecoder().decode(bytes).split(/\r\n|\n|\r/);
    for (const { line = 0, column = 0 } of error.problems) {
      assert(line >= 1 && line <= lines.length, error.message);
      const { length } = lines[line - 1]!;
      assert(column >= 1 && column <= length + 1, error.message);
    }
    return false;
  }
}

function parseTokensFile(path: string, bytes: Uint8Array): unknown {
  return parseTokens(path, parseJson(path, bytes));
}

for (
  const [file, parse, value, isRight] of [
    ["plants", parsePlants, plants, isPlants],
    ["tokens", parseTokensFile, tokens, isTokens],
  ] as const
) {
  test(`files: any JSON is taken as ${file} or rejected with its place`, async () => {
    let taken = 0, rejected = 0;
    await fc.assert(
      fc.asyncProperty(value, layout, async (value, layout) => {
        const text = encode(value, layout);
        const isExpected = isRight(JSON.parse(text));
        const bytes = new TextEncoder().encode(text);
        assertEquals(await isTaken(parse, bytes), isExpected, text);
        if (isExpected) taken++;
        else rejected++;
      }),
      { numRuns: 3_000 },
    );
    assert(taken > 300 && rejected > 300, `${taken} ${rejected}`);
  });

  test(`files: any bytes are taken as ${file} or rejected with their place`, async () => {
    await fc.assert(
      fc.asyncProperty(
        value.map((value) => [...new TextEncoder().encode(encode(value, 1))]),
        fc.array(
          fc.tuple(fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 3 })),
          {
            maxLength: 3,
          },
        ),
        async (bytes, edits) => {
          for (const [at, removed, added] of edits) {
            bytes.splice(at % (bytes.length + 1), removed, ...added);
          }
          await isTaken(parse, Uint8Array.from(bytes));
        },
      ),
      { numRuns: 3_000 },
    );
  });
}

/** An edit of a tokens file, to one of a few users. */
const names = ["curator", "__proto__", "constructor", "42", 'a "b"'];
const step = fc.record({
  kind: fc.constantFrom("set", "add", "revoke", "remove"),
  user: fc.nat(names.length - 1),
  tag: nameText,
  token: fc.nat(3),
});

/** Layouts that a tokens file can start with: a minified one, one on a line, with other line ends. */
const starts = [
  "{}",
  "{ }\n",
  "{\r\n}\r\n",
  '\uFEFF{\n\t"$schema": "x"\n}',
  ...[undefined, 2, "\t"].map((space) =>
    JSON.stringify(
      { $schema: "x", curator: { plants: "all", tokens: [] } },
      null,
      space,
    )
  ),
  '{"42": {"plants": "all", "tokens": [ ]}, "curator": {"plants": {}, "tokens": []} }',
];

test("files: an edited file has the edit, and the other users as they were", async (t) => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.constantFrom(...starts),
      async (steps, start) => {
        const { tokens } = await writeFiles(t, { tokens: start });
        const expected = new Map<string, Json>(
          await readUserRecords(tokens),
        );
        for (const { kind, user: index, tag, token } of steps) {
          const user = names[index]!;
          const record = expected.get(user);
          if (!record && kind !== "set") continue;
          let after = record && { ...record };
          if (kind === "set") {
            after = { plants: { tags: [tag] }, tokens: record?.tokens ?? [] };
          } else if (kind === "add") {
            const added = { sha256: `${++made}`.padStart(64, "0") };
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
        // A file that is emptied in between gets lines.
        if (/^\{"\$schema.+\}$/.test(start)) assert(!text.includes("\n"), text);
      },
    ),
    { numRuns: 50 },
  );
});

/** The text of the users of a tokens file, except of one. */
async function readOthers(path: string, name: string): Promise<string[]> {
  const text = (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  return parseTree(text)!.children!
    .filter(({ children }) => children![0]!.value !== name)
    .map(({ offset, length }) => text.slice(offset, offset + length));
}

/** The users by their names: JSON.parse puts numbers first. */
function toSorted(users: ReadonlyMap<string, unknown>): unknown {
  return [...users].sort(([one], [other]) => one < other ? -1 : 1);
}
