import { readFile, rm, writeFile } from "node:fs/promises";
import { test, type TestContext } from "node:test";
import {
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertRejects,
} from "@std/assert";
import { digest } from "../../contract/stores.ts";
import { call } from "../../support/cli.ts";
import { run, startServer } from "../../support/command.ts";
import { writeFiles } from "../../support/files.ts";
import { createDatabase, SERVER } from "./database.ts";
import { query } from "./server.ts";

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

/** Creates files, and variables with their paths and the URL of a database. */
async function prepare(t: TestContext) {
  const files = await writeFiles(t, { plants: PLANTS, tokens: TOKENS });
  const env = {
    DATABASE_URL: await createDatabase(),
    PLANTS_FILE: files.plants,
    TOKENS_FILE: files.tokens,
  };
  return {
    files,
    env,
    call: async (...args: string[]) => await call(args, env),
  };
}

test("export writes what import has read, in the format of data/", async (t) => {
  const { files, call } = await prepare(t);
  const { plants, tokens } = files;
  assertEquals(
    (await call("import")).stderr,
    `plant-store: replaced the contents of the database with ${plants} (plants: 3) and ${tokens} (users: 3)\n`,
  );
  await rm(plants);
  assertEquals(
    (await call("export")).stderr,
    `plant-store: wrote ${plants} (plants: 3)\nplant-store: wrote ${tokens} (users: 3)\n`,
  );
  const read = (path: string) => readFile(path, "utf8");
  assertEquals(JSON.parse(await read(files.plants)), PLANTS);
  const users = Object.entries(JSON.parse(await read(files.tokens)));
  assertEquals(users, Object.entries(JSON.parse(TOKENS)));
  await call("import", "--plants", "data/plants.json");
  await call("export");
  assertEquals(await read(files.plants), await read("data/plants.json"));
});

test("import reports that it does not store the behavior of users", async (t) => {
  const { files, call } = await prepare(t);
  const users = JSON.parse(await readFile("data/tokens.json", "utf8"));
  await writeFile(files.tokens, JSON.stringify(users));
  const { stderr } = await call("import");
  assertMatch(
    stderr,
    /\(users: 6\)\nplant-store: omitted the behavior \(delay and fail\) of 3 users, because a database cannot store it\n$/,
  );
  await call("export");
  for (const user of ["slow", "flaky", "unavailable"]) {
    delete users[user].behavior;
  }
  assertEquals(JSON.parse(await readFile(files.tokens, "utf8")), users);
});

test("import does not change the database if a file is invalid", async (t) => {
  const { files, call } = await prepare(t);
  await call("import");
  await writeFile(files.tokens, '{"u": 1}');
  await assertRejects(() => call("import"), Error, "expected a user object");
  assertMatch((await call("token", "list")).stdout, /curator/);
});

test("imports and edits can run concurrently", async (t) => {
  const { env, call } = await prepare(t);
  const runAll = (...args: readonly string[]) =>
    Promise.all([1, 2, 3].map(() => run(args, env)));
  for (const { stderr } of await runAll("import")) {
    assertMatch(stderr, /\(plants: 3\).*\(users: 3\)\n$/);
  }
  assertMatch(
    (await call("export")).stderr,
    /\(plants: 3\)\n.*\(users: 3\)\n$/,
  );
  const added = await runAll("token", "add", "42");
  const list = (await call("token", "list")).stdout;
  for (const { stdout } of added) {
    assertMatch(list, new RegExp(digest(stdout.trim()).slice(0, 8)));
  }
});

test("token and user edit the database", async (t) => {
  const { call } = await prepare(t);
  const empty = "the database is empty; to fill it, run: ";
  await assertRejects(() => call("token", "list"), Error, empty);

  const name = "o'brien";
  await call("user", "set", name, "--tag", "vine");
  const { stdout, stderr } = await call("token", "add", name);
  assertEquals(
    stderr,
    `plant-store: added a token for user "${name}" to the database\n`,
  );
  await call("token", "add", name);
  const id = digest(stdout.trim()).slice(0, 8);
  for (
    const [args, notice] of [
      [["user", "set", name, "--all"], "changed access"],
      [["token", "revoke", name, id], "revoked 1 token"],
      [["token", "revoke", name, "--all"], "revoked 1 token"],
    ] as const
  ) {
    assertEquals(
      (await call(...args)).stderr,
      `plant-store: ${notice} for user "${name}" in the database\n`,
    );
  }
  await assertRejects(() => call("token", "revoke", name, id), Error, "no tok");
  await call("user", "remove", name);
  await assertRejects(() => call("user", "remove", name), Error, "no user");
});

test("the suggested import command has the option for the database, unless a variable sets it", async (t) => {
  const { env, call: callWithVariable } = await prepare(t);
  const option = ["--database-url", env.DATABASE_URL];
  const suggestion = "the database is empty; to fill it, run: .* import";
  for (
    const [list, end] of [
      [() => call(["token", "list", ...option]), " --database-url URL$"],
      [() => callWithVariable("token", "list"), "$"],
    ] as const
  ) {
    const { message } = await assertRejects(list, Error);
    assertMatch(message, new RegExp(suggestion + end));
  }
  const server = await startServer(t, option);
  await server.until(
    "stderr",
    new RegExp(`unavailable: ${suggestion} --database-url URL\n`),
  );
});

test("commands do not change the tables of an earlier version", async (t) => {
  const { env, call } = await prepare(t);
  const url = env.DATABASE_URL;
  await query(
    url,
    `create schema plant_store;
    create table plant_store.plants (content bigint, json text);
    insert into plant_store.plants values (1, '{"name":"a"}')`,
  );
  const message =
    'an earlier version created the tables; export the data with that version, drop the schema "plant_store", then run: ';
  await assertRejects(() => call("import"), Error, message);
  await assertRejects(() => call("user", "set", "a", "--all"), Error, message);
  const rows = await query(url, "select json from plant_store.plants");
  assertEquals(rows, [{ json: '{"name":"a"}' }]);

  await query(
    url,
    `create table plant_store.current_import ();
    create table plant_store.users (name text, plants json)`,
  );
  await assertRejects(() => call("token", "list"), Error, message);
});

const WRONG_PASSWORD = SERVER.replace(/:[^:@]*@/, ":s3cret-x@");

for (
  const [url, message] of [
    ["postgres://u:s3cret-x@127.0.0.1:1/d", "ECONNREFUSED"],
    ["postgres://u:s3cret-x@127.0.0.1:1/d?sslmode=verify-ca", "sslrootcert"],
    ["postgres://u:s3cret-x@127.0.0.1:1/d?sslcert=none", "ENOENT"],
    [WRONG_PASSWORD, "password authentication failed"],
  ] as const
) {
  test(`import with the database ${JSON.stringify(url)} reports "${message}"`, async () => {
    const { status, stdout, stderr } = await run(
      ["import", `--database-url=${url}`],
    );
    assertMatch(stderr, new RegExp(`^plant-store: .*${message}.*\n$`));
    assertNotMatch(stderr, /s3cret/);
    assertEquals([status, stdout], [1, ""]);
  });
}
