import { readFile, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { test, type TestContext } from "node:test";
import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { digest } from "../../contract/stores.ts";
import { type Ended, run } from "../../support/command.ts";
import { type Files, writeFiles } from "../../support/files.ts";
import { createDatabaseFor } from "./database.ts";

const PLANTS = [
  { name: "Monstera deliciosa", tag: "vine" },
  { name: 'a "quoted"\n\u{1F33F}' },
  { name: "Monstera deliciosa", tag: "vine" },
];
const TOKENS = `{
  "$schema": "./tokens.schema.json",
  "curator": {
    "tokens": [
      { "sha256": "${digest("one")}", "expires": "2999-01-01" },
      { "sha256": "${digest("two")}", "created": "2026-01-01" }
    ],
    "plants": "all"
  },
  "__proto__": { "plants": { "names": ["x"], "tags": ["vine"] }, "tokens": [] },
  "42": { "plants": {}, "tokens": [{ "sha256": "${digest("three")}" }] }
}`;

/** Creates files and a database, and a function that runs a command on them. */
async function prepare(t: TestContext) {
  const files = await writeFiles(t, { plants: PLANTS, tokens: TOKENS });
  const database = await createDatabaseFor(t);
  const env = {
    DATABASE_URL: database.url,
    PLANTS_FILE: files.plants,
    TOKENS_FILE: files.tokens,
  };
  return {
    files,
    database,
    run: (...args: readonly string[]) => run(args, env),
  };
}

/** Returns the output of a command that succeeds and prints a notice. */
async function succeed(ended: Promise<Ended>, notice = ""): Promise<string> {
  const { status, stdout, stderr } = await ended;
  assertEquals([status, stderr], [0, notice && `plant-store: ${notice}\n`]);
  return stdout;
}

async function read({ plants, tokens }: Files) {
  return {
    plants: await readFile(plants, "utf8"),
    tokens: await readFile(tokens, "utf8"),
  };
}

test("export writes what import has read, in the format of data/", async (t) => {
  const { files, run } = await prepare(t);
  assertEquals(await succeed(run("import")), "plants: 3, users: 3\n");
  await rm(files.plants);
  assertEquals(await succeed(run("export")), "plants: 3, users: 3\n");
  const first = await read(files);
  assertEquals(JSON.parse(first.plants), PLANTS);
  assertEquals(
    Object.entries(JSON.parse(first.tokens)),
    Object.entries(JSON.parse(TOKENS)),
  );
  await succeed(run("import", "--plants", "data/plants.json"));
  await succeed(run("export"));
  assertEquals(await read(files), {
    plants: await readFile("data/plants.json", "utf8"),
    tokens: first.tokens,
  });
});

test("import does not change the database if a file is invalid", async (t) => {
  const { files, run } = await prepare(t);
  await succeed(run("import"));
  await writeFile(files.tokens, '{"u": 1}');
  const { status, stdout, stderr } = await run("import");
  assertEquals([status, stdout], [1, ""]);
  assertEquals(stderr, `${files.tokens}:1:7: expected a user object\n`);
  assertMatch(await succeed(run("token", "list")), /curator/);
});

test("concurrent imports succeed, and one of them wins", async (t) => {
  const { run } = await prepare(t);
  await Promise.all(Array.from({ length: 4 }, () => succeed(run("import"))));
  assertEquals(await succeed(run("export")), "plants: 3, users: 3\n");
});

test("token and user edit the database, also concurrently", async (t) => {
  const { database, run } = await prepare(t);
  const empty = await run("token", "list");
  assertEquals(empty.status, 1);
  assertEquals(
    empty.stderr,
    'plant-store: the database is empty; run "plant-store import" to fill it\n',
  );

  const name = "o'brien", user = `user "${name}"`;
  const edit = (args: readonly string[], notice: string) =>
    succeed(run(...args), notice);
  await edit(
    ["user", "set", name, "--tag", "vine"],
    `added ${user} to the database`,
  );
  const tokens = await Promise.all(
    Array.from({ length: 8 }, () => succeed(run("token", "add", name))),
  );
  const ids = tokens.map((token) => digest(token.trim()).slice(0, 8));
  const list = await succeed(run("token", "list"));
  for (const id of ids) assertMatch(list, new RegExp(id));
  await edit(
    ["user", "set", name, "--all"],
    `changed access for ${user} in the database`,
  );
  await edit(
    ["token", "revoke", name, ids[0]!],
    `revoked 1 token for ${user} in the database`,
  );
  assertNotMatch(await succeed(run("token", "list")), new RegExp(ids[0]!));
  await edit(
    ["token", "revoke", name, "--all"],
    `revoked 7 tokens for ${user} in the database`,
  );

  for (
    const [args, message] of [
      [["token", "add", "nobody"], /no user "nobody" in the database/],
      [["token", "revoke", name, "00000000"], /no token with this ID/],
      [["user", "remove", "nobody"], /no user "nobody" in the database/],
    ] as const
  ) {
    const { status, stderr } = await run(...args);
    assertEquals(status, 1);
    assertMatch(stderr, message);
  }
  await edit(["user", "remove", name], `removed ${user} from the database`);
  const { sql, destroy } = await database.connect();
  assertEquals([...await sql`select * from plant_store.users`], []);
  destroy();
});

const WRONG_PASSWORD = process.env["DATABASE_URL"]!
  .replace(/:[^:@]*@/, ":s3cret-x@");

for (
  const [description, url, expected, message] of [
    ["an empty URL", "", 2, /--database-url/],
    [
      "another scheme",
      "mysql://u:s3cret-x@h/d",
      2,
      /--database-url must look like postgres:/,
    ],
    [
      "an invalid port",
      "postgres://u:s3cret-x@h:x/d",
      2,
      /--database-url must look like/,
    ],
    [
      "an invalid escape",
      "postgres://u:s3cret-x%ZZ@h/d",
      2,
      /--database-url must look like/,
    ],
    [
      "a closed port",
      "postgres://u:s3cret-x@127.0.0.1:1/d",
      1,
      /ECONNREFUSED/,
    ],
    [
      "two closed ports",
      "postgres://nobody:s3cret-x@127.0.0.1:1,127.0.0.1:2/d",
      1,
      /REFUSED/,
    ],
    ["a wrong password", WRONG_PASSWORD, 1, /password authentication failed/],
  ] as const
) {
  test(`import reports ${description} without the password`, async () => {
    const ended = await run(["import", `--database-url=${url}`]);
    const { status, stdout, stderr } = ended;
    assertMatch(stderr, message);
    assertMatch(stderr, /^plant-store: [^\n]*\n$/);
    assertNotMatch(stderr, /s3cret/);
    assertEquals([status, stdout], [expected, ""]);
  });
}
