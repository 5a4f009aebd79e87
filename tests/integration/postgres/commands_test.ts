import { readFile, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { spawn } from "node:child_process";
import { test, type TestContext } from "node:test";
import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { type Ended, run, startServer, watch } from "../../support/command.ts";
import { digest } from "../../contract/stores.ts";
import { type Files, writeFiles } from "../../support/files.ts";
import { createDatabase, type Database } from "./database.ts";

const PLANTS = [
  { name: "Monstera deliciosa", tag: "vine" },
  { name: 'a "quoted"\n\u{1F33F}' },
  { name: "Monstera deliciosa", tag: "vine" },
];
const TOKENS = `{
  "$schema": "./tokens.schema.json",
  "curator": {
    "tokens": [
      { "sha256": "${
  digest("one")
}", "expires": "2999-01-01", "created": "2026-01-01" },
      { "sha256": "${digest("two")}" }
    ],
    "plants": "all"
  },
  "__proto__": { "plants": { "names": ["x"], "tags": ["vine"] }, "tokens": [] },
  "42": { "plants": {}, "tokens": [{ "sha256": "${digest("three")}" }] }
}`;

interface Setting {
  readonly files: Files;
  readonly database: Database;
  /** Runs a command on the database. */
  run(...args: string[]): Promise<Ended>;
}

async function prepare(t: TestContext): Promise<Setting> {
  const files = await writeFiles(t, { plants: PLANTS, tokens: TOKENS });
  const database = await createDatabase();
  t.after(() => database.remove());
  return {
    files,
    database,
    run: (...args) =>
      run(args, {
        DATABASE_URL: database.url,
        PLANTS_FILE: files.plants,
        TOKENS_FILE: files.tokens,
      }),
  };
}

/** Runs a command that must succeed and write `notice` to standard error. */
async function succeed(ended: Promise<Ended>, notice = ""): Promise<string> {
  const { status, stdout, stderr } = await ended;
  assertEquals([status, stderr], [0, notice && `plant-store: ${notice}\n`]);
  return stdout;
}

test("import and export: what comes out goes in and comes out the same", async (t) => {
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
  await succeed(run("import"));
  await succeed(run("export"));
  assertEquals(await read(files), first);
  // What is checked in is in the same form.
  await succeed(run("import", "--plants", "data/plants.json"));
  await succeed(run("export"));
  assertEquals(
    (await read(files)).plants,
    await readFile("data/plants.json", "utf8"),
  );
});

async function read({ plants, tokens }: Files) {
  return {
    plants: await readFile(plants, "utf8"),
    tokens: await readFile(tokens, "utf8"),
  };
}

test("import leaves the database as it was when a file can't be used", async (t) => {
  const { files, run } = await prepare(t);
  await succeed(run("import"));
  await writeFile(files.tokens, '{"u": 1}');
  const { status, stdout, stderr } = await run("import");
  assertEquals([status, stdout], [1, ""]);
  assertEquals(stderr, `${files.tokens}:1:7: expected a user object\n`);
  assertMatch(await succeed(run("token", "list")), /curator/);
});

test("several imports at once make the tables once, and one of them counts", async (t) => {
  const { run } = await prepare(t);
  await Promise.all(Array.from({ length: 4 }, () => succeed(run("import"))));
  assertEquals(await succeed(run("export")), "plants: 3, users: 3\n");
});

test("token and user edit the database, one after another", async (t) => {
  const { database, run } = await prepare(t);
  const fresh = await run("token", "list");
  assertEquals(fresh.status, 1);
  assertMatch(
    fresh.stderr,
    /^plant-store: the database is empty; run "plant-store import" to fill it\n$/,
  );

  const user = `user "o'brien"`;
  const place = "the database";
  await succeed(
    run("user", "set", "o'brien", "--tag", "vine"),
    `added ${user} to ${place}`,
  );
  const tokens = await Promise.all(
    Array.from(
      { length: 8 },
      () => succeed(run("token", "add", "o'brien", "--expires", "2031-01-31")),
    ),
  );
  const list = await succeed(run("token", "list"));
  for (const token of tokens) {
    assertMatch(token, /^ps_\S{43}\n$/);
    assertMatch(list, new RegExp(digest(token.trim()).slice(0, 8)));
  }
  await succeed(
    run("user", "set", "o'brien", "--all"),
    `changed the access of ${user} in ${place}`,
  );
  const id = digest(tokens[0]!.trim()).slice(0, 8);
  await succeed(
    run("token", "revoke", "o'brien", id),
    `revoked 1 token of ${user} in ${place}`,
  );
  assertNotMatch(await succeed(run("token", "list")), new RegExp(id));
  await succeed(
    run("token", "revoke", "o'brien", "--all"),
    `revoked 7 tokens of ${user} in ${place}`,
  );
  assertEquals((await succeed(run("token", "list"))).split("\n").length, 2);

  for (
    const [args, message] of [
      [["token", "add", "nobody"], /no user "nobody" in the database/],
      [["token", "revoke", "o'brien", "00000000"], /no token with this ID/],
      [["user", "remove", "nobody"], /no user "nobody" in the database/],
    ] as const
  ) {
    const { status, stderr } = await run(...args);
    assertEquals(status, 1);
    assertMatch(stderr, message);
  }
  await succeed(
    run("user", "remove", "o'brien"),
    `removed ${user} from ${place}`,
  );
  const client = await database.connect();
  assertEquals([...await client.sql`select * from plant_store.users`], []);
  client.destroy();
});

test("serve --database-url answers from the database", async (t) => {
  const { database, run } = await prepare(t);
  await succeed(run("import", "--tokens", "data/tokens.json"));
  const server = await startServer(t, ["--database-url", database.url]);
  const response = await fetch(`${server.url}plants?limit=2`, {
    headers: { authorization: "Bearer demo-curator" },
  });
  assertEquals(await response.json(), PLANTS.slice(0, 2));
  assertEquals((await fetch(`${server.url}readyz`)).status, 200);
  await server.until("stdout", /\ncurl .*demo-curator.*\n$/);
  server.kill("SIGTERM");
  const { status, stderr } = await server.ended;
  assertEquals([status, stderr], [0, ""]);
});

test("a command that can't have its database says so, and shows no password", async (t) => {
  const { run } = await prepare(t);
  for (
    const [url, wanted, message] of [
      ["mysql://u:s3cret-x@h/d", 2, /--database-url must be like postgres:/],
      ["postgres://u:s3cret-x@h:x/d", 2, /--database-url must be like/],
      ["postgres://u:s3cret-x%ZZ@h/d", 2, /--database-url must be like/],
      ["postgres://u:s3cret-x@127.0.0.1:1/d", 1, /ECONNREFUSED/],
      ["postgres://nobody:s3cret-x@127.0.0.1:1,127.0.0.1:2/d", 1, /REFUSED/],
      [
        process.env["DATABASE_URL"]!.replace(/:[^:@]*@/, ":s3cret-x@"),
        1,
        /password authentication failed/,
      ],
    ] as const
  ) {
    const { status, stdout, stderr } = await run(
      "import",
      "--database-url",
      url,
    );
    assertMatch(stderr, message);
    assertMatch(stderr, /^plant-store: [^\n]*\n$/);
    assertNotMatch(stderr, /s3cret/);
    assertEquals([status, stdout], [wanted, ""]);
  }
  const { status, stderr } = await run("export", "--database-url=");
  assertEquals(status, 2);
  assertMatch(stderr, /--database-url/);
});

/** Starts the command line where no module is found whose name matches. */
function startWithout(t: TestContext, modules: RegExp, args: string[]) {
  const loader = `export function resolve(name, context, next) {
    if (${modules}.test(name)) throw new Error("not found");
    return next(name, context);
  }`;
  const register = `import { register } from "node:module";
    register("data:text/javascript,${encodeURIComponent(loader)}");`;
  const module = `data:text/javascript,${encodeURIComponent(register)}`;
  const child = watch(spawn(
    process.execPath,
    ["--import", "tsx", "--import", module, "src/cli/main.ts", ...args],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, DATABASE_URL: "" },
    },
  ));
  t.after(() => child.kill("SIGKILL"));
  return child;
}

test("without the package postgres, a line says how to install it", async (t) => {
  const url = "postgres://u@h/d";
  const child = startWithout(t, /^postgres$/, ["--database-url", url]);
  const { status, stderr } = await child.ended;
  assertEquals([status, stderr], [
    1,
    'plant-store: cannot load the package "postgres"; run "npm install postgres"\n',
  ]);
});

test("who stays with files loads nothing of this", async (t) => {
  const child = startWithout(t, /stores\/postgres/, ["--port", "0"]);
  await child.until("stdout", /^Listening on /);
});
