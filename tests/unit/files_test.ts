import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import {
  assert,
  assertEquals,
  assertNotMatch,
  assertRejects,
} from "@std/assert";
import type { EncodedList, Viewer } from "../../mod.ts";
import {
  formatProblem,
  openFileStore,
  StoreFileError,
} from "../../src/stores/files.ts";
import { digest } from "../contract/stores.ts";
import { makeFolder, writeFiles } from "../support/files.ts";

const A = "a".repeat(64);
const B = "b".repeat(64);

/** The names that a view lists. */
async function names(view: Viewer | undefined): Promise<string[]> {
  const { body } = await view!.list() as EncodedList;
  const plants = JSON.parse(new TextDecoder().decode(body as Uint8Array));
  return plants.map(({ name }: { name: string }) => name);
}

/** A user with tokens, as JSON. */
const user = (tokens: string, plants = '"all"') =>
  `{"plants": ${plants}, "tokens": ${tokens}}`;

/** Bytes for text, with `\xNN` for those that are not UTF-8. */
const bytes = (text: string) =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

const BAD_PLANTS:
  readonly (readonly [string, string | Uint8Array, ...string[]])[] = [
    ["empty", "", "1:1: invalid JSON: the file is empty"],
    ["blank", " \n ", "2:2: invalid JSON: the file is empty"],
    [
      "cut short",
      '[\n  {"name": "a"},\n  {"na',
      "3:4: invalid JSON: unexpected end of string",
    ],
    [
      "no comma",
      '[\n  {"name": "a"}\n  {"name": "b"}\n]',
      "3:3: invalid JSON: expected a comma",
    ],
    [
      "trailing comma",
      '[{"name": "a"},]',
      "1:16: invalid JSON: expected a value (trailing comma?)",
    ],
    [
      "trailing comma in an object",
      '[{"name": "a",}]',
      "1:15: invalid JSON: expected a property name (trailing comma?)",
    ],
    ["comment", "// plants\n[]", "1:1: invalid JSON: invalid comment token"],
    [
      "more than one value",
      "[] []",
      "1:4: invalid JSON: expected the end of file",
    ],
    [
      "control character",
      '[{"name": "a\tb"}]',
      "1:11: invalid JSON: invalid character",
    ],
    ["not UTF-8", bytes('[\n{"name": "\xC3\xA9\xFF"}]'), "2:12: not UTF-8"],
    ["not UTF-8 behind a return", bytes('[\r"\xFF"]'), "2:2: not UTF-8"],
    [
      "not UTF-8 behind a byte order mark",
      bytes('\xEF\xBB\xBF[\n"\xFF"]'),
      "2:2: not UTF-8",
    ],
    [
      "not UTF-8 in the line of the mark",
      bytes('\xEF\xBB\xBF["\xFF"]'),
      "1:3: not UTF-8",
    ],
    ["UTF-8 cut short", bytes('["\xF0\x9F'), "1:3: not UTF-8"],
    ["UTF-16", bytes("\xFF\xFE[\0]\0"), "1:1: not UTF-8"],
    ["object", "{}", "1:1: expected an array of plants"],
    ["null", "null", "1:1: expected an array of plants"],
    ["number in it", '[{"name": "a"},\n 5]', "2:2: expected a plant object"],
    ["array in it", "[[]]", "1:2: expected a plant object"],
    [
      "no name",
      '[\n  {"tag": "x"}\n]',
      '2:3: missing required property "name"',
    ],
    ["empty name", '[{"name": ""}]', "1:11: name must be a non-empty string"],
    [
      "null tag",
      '[{"name": "a",\r\n"tag": null}]',
      "2:8: tag must be a non-empty string",
    ],
    [
      "unknown key",
      '[{"name": "a", "colour": 1}]',
      '1:16: unknown property "colour"; allowed: name, tag',
    ],
    [
      "key that ends in name",
      '[{"\uFEFFname": "a", "éname": "b"}]',
      '1:2: missing required property "name"',
      '1:3: unknown property "\uFEFFname"; allowed: name, tag',
    ],
    [
      "__proto__",
      '[{"name": "a", "__proto__": {}}]',
      '1:16: unknown property "__proto__"; allowed: name, tag',
    ],
    [
      "same key",
      '[{"name": "a",\n"name": "b"}]',
      '2:1: duplicate property "name"',
    ],
    [
      "same key escaped",
      '[{"name": "a", "n\\u0061me": "b"}]',
      '1:16: duplicate property "name"',
    ],
    [
      "NUL",
      '[{"name": "a\\u0000"}]',
      "1:11: name must be well-formed Unicode without U+0000",
    ],
    [
      "lone surrogate",
      '[{"name": "\\ud800"}]',
      "1:11: name must be well-formed Unicode without U+0000",
    ],
    [
      "several",
      '[{"name": ""},\n{"name": "a", "tag": ""},\n{}]',
      "1:11: name must be a non-empty string",
      "2:22: tag must be a non-empty string",
      '3:1: missing required property "name"',
    ],
    [
      "astral column",
      '[{"name": "\u{1F33F}", "tag": 1}]',
      "1:24: tag must be a non-empty string",
    ],
  ];

const BAD_TOKENS: readonly (readonly [string, string, ...string[]])[] = [
  ["array", "[]", "1:1: expected an object of users by name"],
  ["user is text", '{"u": "x"}', "1:7: expected a user object"],
  [
    "no plants",
    '{"u": {"tokens": []}}',
    '1:7: missing required property "plants"',
  ],
  [
    "no tokens",
    '{"u": {"plants": {}}}',
    '1:7: missing required property "tokens"',
  ],
  [
    "access is a word",
    `{"u": ${user("[]", '"some"')}}`,
    '1:18: expected "all" or an object with tags and names',
  ],
  [
    "access is an array",
    `{"u": ${user("[]", "[]")}}`,
    '1:18: expected "all" or an object with tags and names',
  ],
  [
    "access is null",
    `{"u": ${user("[]", "null")}}`,
    '1:18: expected "all" or an object with tags and names',
  ],
  [
    "tags is text",
    `{"u": ${user("[]", '{"tags": "x"}')}}`,
    "1:27: expected an array of tags",
  ],
  [
    "tag is empty",
    `{"u": ${user("[]", '{"tags": ["x", ""]}')}}`,
    "1:33: a tag must be a non-empty string",
  ],
  [
    "unknown access",
    `{"u": ${user("[]", '{"tag": ["x"]}')}}`,
    '1:19: unknown property "tag"; allowed: tags, names',
  ],
  [
    "tokens is an object",
    `{"u": ${user("{}")}}`,
    "1:35: expected an array of tokens",
  ],
  [
    "plain token",
    `{"u": ${user('["s3cret"]')}}`,
    '1:36: expected {"sha256": "..."}; use "plant-store token add u"',
  ],
  [
    "token as digest",
    `{"u": ${user('[{"sha256": "s3cret"}]')}}`,
    "1:47: sha256 must be 64 lower-case hexadecimal digits",
  ],
  [
    "token as key",
    `{"u": ${user(`[{"sha256": "${A}", "s3cret": 1}]`)}}`,
    "1:115: unknown property; allowed: sha256, created, expires",
  ],
  [
    "token as key of a user",
    '{"u": {"plants": "all", "tokens": [], "s3cret": 1}}',
    "1:39: unknown property; allowed: plants, tokens",
  ],
  [
    "upper-case digest",
    `{"u": ${user(`[{"sha256": "${A.toUpperCase()}"}]`)}}`,
    "1:47: sha256 must be 64 lower-case hexadecimal digits",
  ],
  ...[
    "2026-02-30",
    "2026-13-01",
    "tomorrow",
    "2026-01-01T00:00:00",
    "2026-1-1",
    "20260101",
    "2026-01-01T24:00:00Z",
    "",
    " 2026-01-01",
  ].map((
    date,
  ): [string, string, string] => [
    `expires ${JSON.stringify(date)}`,
    `{"u": ${
      user(`[{"sha256": "${A}",\n"expires": ${JSON.stringify(date)}}]`)
    }}`,
    "2:12: expires must be a date like 2030-01-31, or a date and time like 2030-01-31T12:00:00Z",
  ]),
  [
    "expires a number",
    `{"u": ${user(`[{"sha256": "${A}",\n"expires": 0}]`)}}`,
    "2:12: expires must be a date like 2030-01-31, or a date and time like 2030-01-31T12:00:00Z",
  ],
  [
    "same digest of a user",
    `{"u": ${user(`[{"sha256": "${A}"},\n{"sha256": "${A}"}]`)}}`,
    "2:12: duplicate token digest; remove one of them",
  ],
  [
    "same digest of two",
    `{"u": ${user(`[{"sha256": "${A}"}]`)},\n"v": ${
      user(`[{"sha256": "${A}"}]`)
    }}`,
    "2:46: duplicate token digest; remove one of them",
  ],
  [
    "same user",
    `{"u": ${user("[]")},\n"u": ${user("[]")}}`,
    "2:1: duplicate property",
  ],
  [
    "same user __proto__",
    `{"__proto__": ${user("[]")},\n"__proto__": ${user("[]")}}`,
    "2:1: duplicate property",
  ],
  [
    "user $schema",
    `{"$schema": ${user("[]")}}`,
    "1:2: $schema cannot be the name of a user",
  ],
  [
    "control character",
    `{"a\\u007f": ${user("[]")}}`,
    "1:2: the name of a user must be a non-empty string of well-formed Unicode without control characters",
  ],
  [
    "no name",
    `{"": ${user("[]")}}`,
    "1:2: the name of a user must be a non-empty string of well-formed Unicode without control characters",
  ],
  ["bad __proto__", '{"__proto__": 1}', "1:15: expected a user object"],
];

for (
  const [kind, table] of [["plants", BAD_PLANTS], [
    "tokens",
    BAD_TOKENS,
  ]] as const
) {
  for (const [id, content, ...expected] of table) {
    test(`openFileStore() refuses ${kind}: ${id}`, async (t) => {
      const files = await writeFiles(t, { [kind]: content });
      const error = await assertRejects(
        () => openFileStore(files),
        StoreFileError,
      );
      assertEquals(
        error.problems.map(formatProblem),
        expected.map((line) => `${files[kind]}:${line}`),
      );
      assertEquals(error.message, `${files[kind]}:${expected[0]}`);
      assertNotMatch(error.message, /s3cret|aaaa/);
    });
  }
}

test("openFileStore() names the files that can't be read, both", async (t) => {
  const folder = await makeFolder(t);
  const error = await assertRejects(
    () => openFileStore({ plants: `${folder}/no.json`, tokens: folder }),
    StoreFileError,
  );
  assertEquals(error.problems.map(formatProblem), [
    `cannot read "${folder}/no.json": file not found`,
    `cannot read "${folder}": is a directory`,
  ]);
});

test("formatProblem() stays in one line", () => {
  assertEquals(
    formatProblem({
      path: "a\nb\u001b\u0085.json",
      line: 1,
      column: 2,
      message: "no",
    }),
    "a\\u000ab\\u001b\\u0085.json:1:2: no",
  );
});

test("openFileStore() says when values are nested too deeply", async (t) => {
  const files = await writeFiles(t, { plants: "[".repeat(200_000) });
  await assertRejects(
    () => openFileStore(files),
    StoreFileError,
    ":1:1: the values are nested too deeply",
  );
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const closed = await writeFiles(t, { plants: deep });
  await assertRejects(
    () => openFileStore(closed),
    StoreFileError,
    ":1:1: the values are nested too deeply",
  );
});

test("openFileStore() takes users and tokens by any name", async (t) => {
  const odd = [
    "__proto__",
    "constructor",
    "toString",
    "42",
    "a b",
    "\u{1F33F}",
  ];
  const users = odd.map((name) =>
    `${JSON.stringify(name)}: ${user(`[{"sha256": "${digest(name)}"}]`)}`
  );
  const files = await writeFiles(t, {
    tokens: `\uFEFF{"$schema": "./tokens.schema.json", ${users.join(",\n")}}`,
  });
  const store = await openFileStore(files);
  for (const name of odd) assertEquals(store.authenticate(name)?.user, name);
  for (const token of ["valueOf", "$schema", A, digest("42"), ""]) {
    assertEquals(store.authenticate(token), undefined, token);
  }
  await store.close();
});

test("openFileStore() keeps the order of the file and repeated names", async (t) => {
  const files = await writeFiles(t, {
    plants: "\uFEFF" + '[{"tag":"x","name":"b"}, {"name":"a"}, {"name":"b"}]',
    tokens: `{"u": ${user(`[{"sha256": "${digest("t")}"}]`)}}`,
  });
  const store = await openFileStore(files);
  const { body } = await store.authenticate("t")!.list() as EncodedList;
  assertEquals(
    new TextDecoder().decode(body as Uint8Array),
    '[{"name":"b","tag":"x"},{"name":"a"},{"name":"b"}]',
  );
  await store.close();
});

test("openFileStore() refuses a token from the moment it expires", async (t) => {
  const expires = "2030-01-31";
  const files = await writeFiles(t, {
    tokens: `{
      "date": ${
      user(`[{"sha256": "${digest("date")}", "expires": "${expires}"}]`)
    },
      "time": ${
      user(
        `[{"sha256": "${
          digest("time")
        }", "expires": "2030-01-31T01:00:00+01:00"}]`,
      )
    },
      "ever": ${
      user(`[{"sha256": "${digest("ever")}", "created": "2999-01-01"}]`)
    }
    }`,
  });
  t.mock.timers.enable({ apis: ["Date"], now: Date.parse(expires) - 1 });
  t.after(() => t.mock.timers.reset());
  const store = await openFileStore(files);
  for (const token of ["date", "time", "ever"]) {
    assertEquals(store.authenticate(token)?.user, token);
  }
  t.mock.timers.setTime(Date.parse(expires));
  assertEquals(store.authenticate("date"), undefined);
  assertEquals(store.authenticate("time"), undefined);
  assertEquals(store.authenticate("ever")?.user, "ever");
  await store.close();
});

test("FileStore.reload() serves what the files hold now", async (t) => {
  const files = await writeFiles(t, {
    plants: [{ name: "a" }],
    tokens: `{"u": ${user(`[{"sha256": "${digest("t")}"}]`)}}`,
  });
  const store = await openFileStore(files);
  const before = store.authenticate("t");
  await writeFile(files.plants, '[{"name": "b"}]');
  assertEquals(await names(store.authenticate("t")), ["a"]);
  await store.reload();
  assertEquals(await names(store.authenticate("t")), ["b"]);
  assertEquals(await names(before), ["a"]);

  await writeFile(files.tokens, `{"u": ${user(`[{"sha256": "${B}"}]`)}}`);
  await store.reload();
  assertEquals(store.authenticate("t"), undefined);

  await writeFile(files.plants, "[");
  await assertRejects(() => store.reload(), StoreFileError, files.plants);
  await store.close();
});

test("FileStore.ready() tells when files were loaded, and rejected until they are mended", async (t) => {
  const files = await writeFiles(t, {});
  await using store = await openFileStore({ ...files, watch: false });
  const before = store.ready();
  assertEquals(Object.keys(before), ["loaded"]);

  await delay(5);
  await writeFile(files.plants, "{}");
  await assertRejects(() => store.reload(), StoreFileError);
  const bad = store.ready();
  assert(bad.rejected! > before.loaded!);

  await delay(5);
  await writeFile(files.tokens, "{}");
  await assertRejects(() => store.reload(), StoreFileError);
  assert(store.ready().rejected! > bad.rejected!); // the plants are bad still

  await delay(5);
  await writeFile(files.plants, "[]");
  await store.reload();
  const good = store.ready();
  assertEquals(Object.keys(good), ["loaded"]);
  assert(good.loaded! > bad.rejected!);
});

test("the sample data is what its README says", async () => {
  const plants = JSON.parse(await readFile("data/plants.json", "utf8"));
  const readme = await readFile("data/README.md", "utf8");
  const tags = Array.from(
    readme.matchAll(/^\| `(\w+)` +\|/gm),
    ([, tag]) => tag,
  );
  const used = new Set(plants.map(({ tag }: { tag?: string }) => tag));
  used.delete(undefined);
  assertEquals([...used].sort(), tags.sort());
  const names = new Set(plants.map(({ name }: { name: string }) => name));
  assertEquals(names.size, plants.length);
  assertEquals(plants.length >= 150, true);
});

test("openFileStore() compares tags exactly", async (t) => {
  const tag = "\uFEFFfern";
  const files = await writeFiles(t, {
    plants: [{ name: "odd", tag }, { name: "real", tag: "fern" }],
    tokens: {
      u: { plants: { tags: ["fern"] }, tokens: [{ sha256: digest("t") }] },
      v: { plants: { tags: [tag] }, tokens: [{ sha256: digest("s") }] },
    },
  });
  await using store = await openFileStore({ ...files, watch: false });
  assertEquals(await names(store.authenticate("t")), ["real"]);
  assertEquals(await names(store.authenticate("s")), ["odd"]);
});
