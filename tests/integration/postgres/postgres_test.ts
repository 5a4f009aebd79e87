import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { setImmediate, setTimeout } from "node:timers/promises";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import pg from "pg";
import {
  createHandler,
  type Plant,
  StoreUnavailableError,
} from "../../../mod.ts";
import {
  ENCODE,
  type EncodedList,
} from "../../../src/core/domain/encoded_list.ts";
import { openPostgresStore } from "../../../src/stores/postgres.ts";
import { replaceContent } from "../../../src/stores/postgres/tables.ts";
import { NO_IMPORT } from "../../../src/stores/postgres/pg_client.ts";
import { MIN_ID, READ_PAGE } from "../../../src/stores/postgres/queries.ts";
import { openHandler } from "../../contract/in_process.ts";
import { addRuntime } from "../../contract/runtime.ts";
import { OPTIONS } from "../../contract/setups.ts";
import { digest, writeContract } from "../../contract/stores.ts";
import { testContract } from "../../contract/suite.ts";
import { type Running, stopAfter } from "../../../tools/start_cli.ts";
import { collect } from "../../support/collect.ts";
import { makeFolder, writeFiles } from "../../support/files.ts";
import { createGate } from "../../support/gate.ts";
import { list } from "../../../tools/send.ts";
import { runProgram } from "../../../tools/start_program.ts";
import { until } from "../../../tools/until.ts";
import { startDatabase } from "../../../tools/start_database.ts";
import * as databases from "./database.ts";

const { fill, query, startImport, startNetwork, startWith } = databases;
type Test = { after(fn: () => unknown): void };

const database = await startDatabase({ after });
const { url } = database;
const contract = await writeContract(await makeFolder({ after }));

/** Opens a store; the test closes it. */
async function openStore(t: Test, to = url, outages: unknown[] = []) {
  const onStatus = (outage?: Error) => outages.push(outage?.message);
  const store = await openPostgresStore({ url: to, onStatus });
  t.after(() => store.close());
  const handler = createHandler(store, { onError() {} });
  return {
    ...store,
    async list(token = "t"): Promise<Plant[] | undefined> {
      const headers = { authorization: `Bearer ${token}` };
      const response = await handler("/plants", { headers });
      if (response.status === 401) return undefined;
      if (response.status === 503) throw new StoreUnavailableError();
      return await response.json();
    },
  };
}

/** Starts a server; the test stops it. */
async function serve(t: Test, url: string, ...args: readonly string[]) {
  const running = startWith(url, "--port", "0", ...args);
  stopAfter(t, running);
  const [, base] = await running.until("stdout", /^Listening on (.*)\n/);
  return { running, base: base! };
}

/** Lists the plants of `t`. */
async function getStatus(base: string): Promise<number> {
  return (await list(base, "t")).status;
}

/** Stops a server, and returns what it logged about the database. */
async function readLog({ kill, ended }: Running): Promise<string> {
  kill("SIGTERM");
  const { status, stderr } = await ended;
  assertEquals(status, 0, stderr);
  assertMatch(stderr, /^plant-store: serving the database of DATABASE_URL, /);
  const events = stderr.matchAll(
    /Z database of DATABASE_URL (unavailable: .*|available again)/g,
  );
  return Array.from(events, ([, event]) => event).join(", ");
}

assertEquals((await startImport(url, contract).ended).status, 0);
testContract("the PostgreSQL store in process", async (setup) => {
  const store = await openPostgresStore({ url });
  const handler = createHandler(addRuntime(store), OPTIONS[setup]);
  return openHandler(handler, store.close);
});

test("a server shows an import at once, with behavior and demo tokens", async (t) => {
  const user = { plants: "all", tokens: ["demo-slow"] };
  await fill(t, url, [], { user });
  const { running, base } = await serve(t, url, "--delay", "300");
  for (const name of ["b", "c"]) {
    const flaky = { ...user, behavior: { fail: "1/2" }, tokens: ["flaky"] };
    await fill(t, url, [{ name }], {
      user: { ...user, tokens: [name] },
      flaky,
    });
    assertEquals(await (await list(base, name)).json(), [{ name }]);
    assertEquals((await list(base, "demo-slow")).status, 401);
    assertEquals((await list(base, "flaky")).status, 503);
    assertEquals((await list(base, "flaky")).status, 200);
  }
  const start = performance.now();
  await list(base, "c");
  assert(performance.now() - start > 250);
  assertEquals(await readLog(running), "");
  const { stdout } = await running.ended;
  assertMatch(stdout, /^Demo tokens:\n *demo-slow .*\n$/m);
});

test("an import stores digests, expiration, and any text", async (t) => {
  // PostgreSQL limits what an index contains to 2,704 bytes, compressed.
  const long = "🌱\\\"{},'\ufeff".repeat(200);
  const plants = [{ name: long, tag: long }, { name: "x" }, { name: "NULL" }];
  const access = JSON.stringify({ tags: [long], names: ["NULL"] });
  await fill(
    t,
    url,
    plants,
    `\ufeff{ "$schema": "a", "__proto__": { "plants": ${access}, "tokens":
      ["plain-1", { "token": "plain-2", "expires": "9999-12-31T23:59:59-05:00" },
       { "token": "plain-3", "expires": "0000-01-01" },
       { "sha256": "${digest("plain-4")}" }] } }`,
  );
  const store = await openStore(t);
  for (const token of ["plain-1", "plain-2", "plain-4"]) {
    assertEquals(await store.list(token), [plants[0]!, plants[2]!]);
  }
  assertEquals(await store.list("plain-3"), undefined);
  const rows = await query(url, "select digest from plant_store.tokens");
  assertEquals(
    rows.map(({ digest }) => digest).sort(),
    [1, 2, 3, 4].map((n) => digest(`plain-${n}`)).sort(),
  );
});

test("invalid files change nothing, even if the database is down", async (t) => {
  await fill(t, url, [{ name: "a" }]);
  const user = { plants: {}, tokens: ["t", { sha256: digest("t") }] };
  for (
    const [content, problem] of [
      [{ plants: [{ name: "" }] }, /^.*plants.json:1:10: name must.*\n$/],
      [{ tokens: { user } }, /^.*tokens.json:1:\d+: duplicate token.*\n$/],
    ] as const
  ) {
    const files = await writeFiles(t, content);
    const importing = startImport("postgres://h:1/", files);
    const { status, stderr } = await importing.ended;
    assertEquals(status, 1);
    assertMatch(stderr, problem);
  }
  const large = await writeFiles(t, { plants: new Uint8Array(50_000_001) });
  const { stderr: error } = await startImport(url, large).ended;
  assertMatch(error, /: larger than 50 MB\n$/);
  assertEquals(await (await openStore(t)).list(), [{ name: "a" }]);
});

test("a list shows the last import that ended before the request", async (t) => {
  const tokens = { u: { plants: { tags: ["a"] }, tokens: ["t"] } };
  const old = [{ name: "old", tag: "a" }];
  await fill(t, url, old, tokens);
  const network = await startNetwork(t, database);
  const store = await openStore(t, network.url);
  await store.list();
  const { opened, open } = createGate();
  let count = 0;
  // The query passes, and its result waits.
  network.wait = () => ++count === 1 ? Promise.resolve() : opened;
  const first = store.list();
  await until(() => count === 2);
  const mixed = [{ name: "mixed", tag: "a" }, ...old];
  const plants = [...mixed, { name: "new", tag: "b" }];
  const user = { name: "u", all_plants: false, tags: ["b"], names: [] };
  // The import command would take longer on a busy machine than the first list waits.
  await replaceContent(url, {
    plants: plants.map((plant, at) => ({ id: at + 1, ...plant })),
    users: [user],
    tokens: [{ digest: digest("t"), user_name: "u" }],
  });
  const second = store.list();
  open();
  assertEquals(await second, plants.slice(2));
  // The first list can show either import, but never parts of both.
  assertEquals((await first)!.length, 1);
});

test("a killed import changes nothing, and others wait for each other", async (t) => {
  await fill(t, url, [{ name: "a" }]);
  const lock = "begin; lock table plant_store.plants in share mode";
  const untilWaiting = (count: number) =>
    until(async () => {
      const rows = await query(url, "select from pg_locks where not granted");
      return rows.length === count;
    });
  await query(url, lock, async () => {
    const running = startImport(url, contract);
    await untilWaiting(1);
    running.kill("SIGKILL");
    await running.ended;
  });
  const store = await openStore(t);
  assertEquals(await store.list(), [{ name: "a" }]);
  let imports: Promise<void>[] = [];
  await query(url, lock, async () => {
    imports = [1, 2, 3].map(() => fill(t, url, [{ name: "b" }]));
    await untilWaiting(3);
  });
  await Promise.all(imports);
  const rows = await query(url, "select from plant_store.version");
  assertEquals([rows.length, await store.list()], [1, [{ name: "b" }]]);
});

test("a restart and a hanging database cause 503 for a time, and a line for each cause", async (t) => {
  await fill(t, url, [{ name: "a" }]);
  const network = await startNetwork(t, database);
  const { running, base } = await serve(t, network.url);
  const statuses: number[] = [];
  let isDone = false;
  const clients = Array.from({ length: 20 }, async () => {
    while (!isDone) {
      statuses.push(await getStatus(base));
      await setTimeout(100);
    }
  });
  const untilReady = (status: number) =>
    until(async () => (await fetch(`${base}readyz`)).status === status);
  await untilReady(200);
  await database.down();
  await untilReady(503);
  await database.up();
  await running.until("stderr", /available again/);
  const { opened, open } = createGate();
  network.wait = () => opened;
  await untilReady(503);
  // Requests end although the database hangs.
  const { length } = statuses;
  await until(() => statuses.length > length + 40);
  open();
  await running.until("stderr", /again[^]*again/);
  isDone = true;
  await Promise.all(clients);
  assertEquals([...new Set(statuses)].sort(), [200, 503]);
  assertMatch(
    await readLog(running),
    /^(?:unavail[^,]*, )+available again, (?:unavail[^,]* in time, )+available again$/,
  );
});

test("a database can be distant: 600 ms, with TLS", async (t) => {
  await fill(t, url, [{ name: "a" }]);
  const network = await startNetwork(t, database);
  network.wait = () => setTimeout(300);
  const options =
    "?uselibpqcompat=true&sslmode=require&application_name=distant";
  const store = await openStore(t, `${network.url}${options}`);
  const start = performance.now();
  await assertRejects(() => store.list(), StoreUnavailableError);
  assert(performance.now() - start > 1_700);
  await until(() => store.ready().then(() => true, () => false));
  assertEquals(await store.list(), [{ name: "a" }]);
  const rows = await query(
    url,
    `select ssl from pg_stat_ssl join pg_stat_activity using (pid)
    where application_name = 'distant'`,
  );
  assertEquals([...new Set(rows.map(({ ssl }) => ssl))], [true]);
});

test("load is no outage, and a slow query ends here and in the database", async (t) => {
  await fill(t, url, [{ name: "a" }]);
  const outages: string[] = [];
  const options = "options=-c%20statement_timeout%3D2s"; // or that of the role
  const named = `${url}?application_name=store&${options}`;
  const store = await openStore(t, named, outages);
  const listOften = async () => {
    const lists = Array.from({ length: 1_000 }, () => store.list());
    const results = await Promise.allSettled(lists);
    return [...new Set(results.map(({ status }) => status))];
  };
  const find = async (condition: string) =>
    await query(
      url,
      `select wait_event_type from pg_stat_activity
      where application_name = 'store' and ${condition}`,
    );
  assertEquals(await listOften(), ["fulfilled"]);
  assert((await find("true")).length <= 2); // for users, and for the list
  const late = [store.list()];
  // The query is sent. (Deno writes to a socket in one of the next turns.)
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  late.push(store.list()); // waits for the next query
  const end = performance.now() + 2_000;
  while (performance.now() < end) {
    // This process is busy.
  }
  for (const list of late) assertEquals(await list, [{ name: "a" }]);
  assertEquals(outages, []);

  const lock = "begin; lock table plant_store.version in access exclusive mode";
  await query(url, lock, async () => {
    assertEquals(await listOften(), ["rejected"]);
    const isLocked = "wait_event_type = 'Lock'";
    await until(async () => (await find(isLocked)).length === 0);
  });
  await store.ready();
  assertMatch(outages.join(), /^(?:[^,]*(?:statement timeout|in time),?)+$/);
});

test("each cause of an outage is reported once", async (t) => {
  await fill(t, url, [{ name: "a" }]);
  const outages: unknown[] = [];
  const store = await openStore(t, url, outages);
  const lock = "begin; lock table plant_store.plants in access exclusive mode";
  const assertSlow = () =>
    query(url, lock, async () => {
      const user = await store.authenticate("t");
      const read = async () => await collect(await user!.list());
      await assertRejects(read, StoreUnavailableError);
    });
  const rename = (from: string, to: string) =>
    query(url, `alter table plant_store.version rename ${from} to ${to}`);
  async function assertFails() {
    for (let time = 0; time < 3; time++) {
      await assertRejects(store.ready, StoreUnavailableError);
    }
  }
  await assertSlow();
  assertEquals(outages, []); // for other users, lists can be fast
  await assertSlow();
  await rename("version", "v");
  await assertFails();
  await rename("v", "version");
  await query(url, "delete from plant_store.version");
  await assertFails();
  await query(url, "insert into plant_store.version default values");
  await until(async () => {
    assertEquals(await store.list(), [{ name: "a" }]);
    return outages.includes(undefined);
  });
  await assertSlow();
  await assertSlow();
  const slow = "the database did not respond in time";
  const missing = "column v.version does not exist";
  assertEquals(outages, [slow, missing, NO_IMPORT, undefined, slow]);
});

test("messages explain problems without the password", async (t) => {
  await query(url, "create database empty");
  const wrong = url.replace(/:[^:]*@/, ":s3cret@");
  for (
    const [database, expected] of [
      [wrong, 'password authentication failed for user "plants"'],
      [url.replace(/postgres$/, "empty"), "plant-store import"],
      [url.replace(/:\d+\//, ":1/"), "ECONNREFUSED"],
      [`${url}?sslmode=require`, "signed certificate"],
    ] as const
  ) {
    const { running, base } = await serve(t, database);
    assertEquals(await getStatus(base), 503);
    assertEquals((await fetch(`${base}readyz`)).status, 503);
    assertStringIncludes(await readLog(running), expected);
    const { stderr } = await running.ended;
    assert(!stderr.includes("Warning"), stderr);
  }
  const invalid = "postgres://u:s3cret@h:99999/d";
  const passwordless = url.replace(/:[^:]*@/, "@");
  for (
    const [running, expected, code = 2] of [
      [startImport(wrong, contract), "password authentication failed", 1],
      [startImport(passwordless, contract), "the URL has none", 1],
      [startWith(invalid), "DATABASE_URL must be a URL such as postgres:"],
      [startWith(invalid, "import"), "DATABASE_URL must be a URL such as"],
      [startWith("", "import"), "set --database-url or DATABASE_URL"],
      [startWith(url, "--plants", "x"), "--plants and DATABASE_URL cannot"],
    ] as const
  ) {
    const { status, stderr } = await running.ended;
    assertEquals([status, stderr.split(expected).length], [code, 2], stderr);
  }
});

test("a parser for JSON that another program sets has no effect", async (t) => {
  await fill(t, url, [{ name: "a" }]);
  const parser = pg.types.getTypeParser(pg.types.builtins.JSON);
  pg.types.setTypeParser(pg.types.builtins.JSON, (text: string) => text);
  t.after(() => pg.types.setTypeParser(pg.types.builtins.JSON, parser));
  assertEquals(await (await openStore(t)).list(), [{ name: "a" }]);
});

/** Creates a database, and returns its URL. */
async function createDatabase(name: string, text: string): Promise<string> {
  await query(url, `create database ${name}`);
  const created = url.replace(/postgres$/, name);
  await query(created, text);
  return created;
}

/** Creates a role with privileges on the tables, and returns its URL. */
async function createRole(
  name: string,
  privileges: string,
  more = "",
): Promise<string> {
  await query(
    url,
    `create role ${name} login password 's3cret';
    grant usage on schema plant_store to ${name};
    grant ${privileges} on all tables in schema plant_store to ${name};
    ${more}`,
  );
  return url.replace(/\/\/.*@/, `//${name}:s3cret@`);
}

test("a role that can only change rows imports for one that can only read", async (t) => {
  await fill(t, url, [{ name: "a" }]);
  const reader = await createRole("reader", "select");
  const store = await openStore(t, reader);
  assertEquals(await store.list(), [{ name: "a" }]);
  const importer = await createRole(
    ...["importer", "select, insert, delete"] as const,
    "grant update on all sequences in schema plant_store to importer",
  );
  await fill(t, importer, [{ name: "b" }]);
  assertEquals(await store.list(), [{ name: "b" }]); // the reader keeps its privilege
  const change = () => query(reader, "delete from plant_store.plants");
  await assertRejects(change, Error, "permission denied");
  const owned = await createDatabase(
    "owned",
    "create schema plant_store authorization reader",
  );
  await fill(t, owned.replace(/\/\/.*@/, "//reader:s3cret@"), []);
});

test("changes with SQL are seen at once, also with a publication for all tables", async (t) => {
  await fill(t, url, [{ name: "a", tag: "x" }, { name: "b" }]);
  await query(url, "create publication everything for all tables");
  t.after(() => query(url, "drop publication everything"));
  const store = await openStore(t, await createRole("other", "select"));
  const plants = [{ name: "a", tag: "x" }, { name: "b" }, { name: "c" }];
  assertEquals(await store.list(), plants.slice(0, 2));
  await query(url, "insert into plant_store.plants (name) values ('c')");
  assertEquals(await store.list(), plants);
  await query(
    url,
    `begin;
    insert into plant_store.users (name, tags, names) values ('new', '{x,x}', '{c,a}');
    savepoint s;
    insert into plant_store.tokens values ('${digest("new")}', 'new');
    rollback to s;
    insert into plant_store.tokens values ('${
      digest("new")
    }', 'new', 'infinity');
    commit`,
  );
  assertEquals(await store.list("new"), [plants[0]!, plants[2]!]);
  await query(
    url,
    `update plant_store.plants set tag = 'x' where name = 'b';
    update plant_store.plants set name = 'd', tag = 'y' where name = 'a'`,
  );
  assertEquals(await store.list("new"), [{ name: "b", tag: "x" }, plants[2]!]);
  await query(url, "delete from plant_store.users where name = 'new'");
  assertEquals(await store.list("new"), undefined);
  await query(url, "truncate plant_store.plants");
  assertEquals(await store.list(), []);
});

test("the statements of operating.md add plants, and replace a user", async (t) => {
  const former = { plants: "all", tokens: ["former"] };
  await fill(t, url, [{ name: "a" }], { former });
  const page = await readFile("docs/operating.md", "utf8");
  const [, block] = /```sql\n(\\copy [^`]*)```/.exec(page)!;
  const folder = await makeFolder(t);
  await writeFile(
    join(folder, "plants.csv"),
    '\ufeffname,tag\nb,fern\n"c, d",moss\ne,\n',
  );
  const sql = join(folder, "statements.sql");
  await writeFile(sql, block!.replace("DIGEST", digest("new")));
  await runProgram("psql", ["-v", "ON_ERROR_STOP=1", "-f", sql, url], {
    cwd: folder,
  });
  const store = await openStore(t);
  const plants = [{ name: "b", tag: "fern" }, { name: "c, d", tag: "moss" }];
  assertEquals(await store.list("new"), plants);
  assertEquals(await store.list("former"), undefined);
});

test("a user whose token was deleted since then does not get an empty list", async (t) => {
  await fill(t, url, [{ name: "a" }]);
  const store = await openStore(t);
  const user = await store.authenticate("t");
  await query(url, "delete from plant_store.tokens");
  await assertRejects(
    async () => await collect(await user!.list()),
    StoreUnavailableError,
  );
});

test("a connection that was idle and is ended costs no request", async (t) => {
  await fill(t, url, [{ name: "a" }]);
  const outages: unknown[] = [];
  const store = await openStore(t, `${url}?application_name=idle`, outages);
  for (let time = 0; time < 20; time++) {
    await store.list();
    await query(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'idle'",
    );
    assertEquals(await store.list(), [{ name: "a" }]);
  }
  await store.close();
  await store.close(); // has no effect
  assertEquals(outages, []);
});

test("a user sees the plants with tags and names once, in order, and a list costs what it returns", async (t) => {
  // Plants in blocks of a tag, mixed, after a gap, and at the end.
  const tags = Array.from({ length: 30 }, (_, at) => `tag ${at}`);
  // Some plants have a tag and a name, and the access has an unknown tag, and one twice.
  const names = ["3", "299", "14999", "20039", "25000"];
  const plants = { names, tags: [...tags, "none", "tag 1"] };
  await fill(t, url, [], { u: { plants, tokens: ["t"] } });
  await query(
    url,
    `insert into plant_store.plants (id, name, tag)
    select n - 5000, n, 'tag ' || n / 3000 from generate_series(1, 15000) n
    union all select n, n, 'tag ' || n % 40 from generate_series(20000, 28000) n
    union all select n::bigint * 1000000000, n, 'tag 29' from generate_series(1, 300) n;
    insert into plant_store.plants (id, name, tag) values (${
      2n ** 63n - 1n
    }, 'last', 'tag 7')`,
  );
  const rows = await query(
    url,
    `select plants.name, tag from plant_store.plants, plant_store.users
    where tag = any (tags) or plants.name = any (names) order by id`,
  );
  const store = await openStore(t);
  assertEquals(await store.list(), rows);
  const user = await store.authenticate("t");
  for (const limit of [0, 1, 333, 334, 335, 2_500, rows.length - 1]) {
    assertEquals(await collect(await user!.list(limit)), rows.slice(0, limit));
  }
  await query(url, "update plant_store.users set all_plants = true");
  assertEquals((await store.list())?.length, 23_302);
  await query(url, "update plant_store.users set all_plants = false");
  const client = new pg.Client(url);
  await client.connect();
  t.after(() => client.end());
  // Otherwise, the plan would depend on what earlier tests stored.
  await query(url, "analyze");
  for (const after of [MIN_ID, 30_000]) {
    const values = [digest("t"), after, 20, 20];
    const { rows } = await client.query(`explain ${READ_PAGE}`, values);
    const plan = JSON.stringify(rows);
    assert(!/Seq Scan on plants|Bitmap|JIT/.test(plan), plan);
    assertMatch(plan, /Index Scan using plants_pkey/);
    assertMatch(plan, /Index Scan using plants_by_tag/);
    assertMatch(plan, /Index Scan using plants_by_name/);
  }
});

test("a long list is read in pages, and cut off when the plants change", async (t) => {
  const plants = Array.from({ length: 60 }, (_, at) => ({
    name: `${at}`.padEnd(2_600),
  }));
  await fill(t, url, plants);
  const store = await openStore(t);
  const readPages = async () => {
    const user = await store.authenticate("t");
    return (user!.list() as EncodedList)[ENCODE]() as AsyncGenerator<string>;
  };
  const pages: Plant[][] = [];
  for await (const page of await readPages()) {
    pages.push(JSON.parse(`[${page}]`));
  }
  assertEquals(pages.map(({ length }) => length), [26, 26, 8]);
  assertEquals(pages.flat(), plants);
  const cut = await readPages();
  await cut.next();
  await query(url, "delete from plant_store.plants where id = 1");
  await assertRejects(() => cut.next(), StoreUnavailableError, "just changed");
});

test("a long list survives lost connections, and ends with its token", async (t) => {
  await fill(t, url, []);
  await query(
    url,
    "insert into plant_store.plants (name) select n from generate_series(1, 20000) n",
  );
  const outages: unknown[] = [];
  const store = await openStore(t, `${url}?application_name=cut`, outages);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const handler = createHandler(store, { onError });
  const headers = { authorization: "Bearer t" };
  const response = await handler("/plants", { headers });
  const reader = response.body!.getReader();
  for (let time = 0; time < 5; time++) {
    await reader.read();
    await query(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'cut'`,
    );
  }
  const head = await handler("/plants", { method: "HEAD", headers });
  assertEquals(head.headers.get("etag")?.length, 34);
  await query(url, "delete from plant_store.tokens");
  await assertRejects(async () => {
    while (!(await reader.read()).done);
  }, StoreUnavailableError);
  assertEquals([errors.length, outages], [1, []]); // the database is available
});

test("the tables can be the views of operating.md, or have no version", async (t) => {
  const page = await readFile("docs/operating.md", "utf8");
  const [, views, refresh] = /```sql\n(create schema [^`]*?)(-- After [^`]*)```/
    .exec(page)!;
  const to = await createDatabase(
    "views",
    `create table kinds (id int primary key, label varchar);
    create table items (id int primary key, title varchar, kind int);
    create table members (email varchar, is_admin boolean, labels varchar[]);
    create table keys (digest char(64), email varchar, ends timestamp);
    insert into kinds values (1, 'x');
    insert into items values (1, 'a', 1), (2, 'b', null);
    insert into members values ('u', false, '{x}'), ('admin', true, null);
    alter database views set timezone = 'Pacific/Auckland';
    insert into keys values ('${digest("t")}', 'u', null),
      ('${digest("all")}', 'admin', now() at time zone 'UTC' + interval '1h'),
      ('${digest("old")}', 'admin', now() at time zone 'UTC' - interval '1s');
    ${views}`,
  );
  const store = await openStore(t, to);
  const plants = [{ name: "a", tag: "x" }, { name: "b" }];
  assertEquals(await store.list("all"), plants);
  assertEquals(await store.list("old"), undefined);
  assertEquals(await store.list(), plants.slice(0, 1));
  await query(to, `update items set kind = 1; ${refresh}`);
  assertEquals((await store.list())?.length, 2);
  await query(
    to,
    `drop materialized view plant_store.version;
    create view plant_store.version as select null as version;
    update items set kind = 2;
    refresh materialized view plant_store.plants`,
  );
  assertEquals(await store.list(), []);
});

test("data that makes a query fail affects only its user", async (t) => {
  const to = await createDatabase(
    "broken",
    `create schema plant_store;
    create table item (id int, size text, tag text);
    insert into item values (1, '5', 'a'), (2, '?', 'b');
    create view plant_store.plants as select id, size::int::text as name, tag from item;
    create table member (name text, behavior text);
    insert into member values ('a', null), ('b', null), ('c', '{');
    create view plant_store.users as select name, false as all_plants,
      array[name] as tags, null::text[] as names, behavior::jsonb from member;
    create view plant_store.tokens as select name as user_name, null::timestamptz as expires,
      encode(sha256(name::bytea), 'hex') as digest from member;
    create view plant_store.version as select null as version`,
  );
  const outages: unknown[] = [];
  const store = await openStore(t, to, outages);
  const read = async (token: string) =>
    await collect(await (await store.authenticate(token))!.list());
  const [a, b, c] = await Promise.allSettled(["a", "b", "c"].map(read));
  assertEquals(a, { status: "fulfilled", value: [{ name: "5", tag: "a" }] });
  assertMatch(`${JSON.stringify([b, c])}`, /rejected.*rejected/);
  assertEquals(outages, []);
});
