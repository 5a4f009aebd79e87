import { open } from "node:fs/promises";
import { createConnection, createServer, type Socket } from "node:net";
import { after, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { createHandler, StoreUnavailableError } from "../../../mod.ts";
import { openPostgresStore } from "../../../src/stores/postgres.ts";
import { openHandler } from "../../contract/in_process.ts";
import { addRuntime } from "../../contract/runtime.ts";
import { FAILING, OPTIONS } from "../../contract/setups.ts";
import { digest, writeContract } from "../../contract/stores.ts";
import { testContract } from "../../contract/suite.ts";
import { type Running, stopAfter } from "../../support/command.ts";
import { makeFolder, writeFiles } from "../../support/files.ts";
import { watchLateness } from "../../support/lateness.ts";
import { listen } from "../../support/port.ts";
import { list } from "../../support/send.ts";
import { until } from "../../support/until.ts";
import {
  connect,
  findPassword,
  query,
  runImport,
  startDatabase,
  startWith,
} from "./database.ts";

type Test = { after(fn: () => unknown): void };

const database = await startDatabase({ after });
const { url } = database;
const contract = await writeContract(await makeFolder({ after }));
const allow = watchLateness();

/** Imports plants, by default for a user with the token `t`. */
async function fill(
  t: Test,
  plants: unknown,
  tokens: object = { curator: { plants: "all", tokens: ["t"] } },
): Promise<void> {
  const files = await writeFiles(t, { plants, tokens });
  const { status, stderr } = await runImport(url, files);
  assertEquals(status, 0, stderr);
}

async function openStore(t: Test, options: Partial<Options> = {}) {
  const store = await openPostgresStore({ url, ...options });
  t.after(() => store.close());
  return store;
}
type Options = Parameters<typeof openPostgresStore>[0];

/** Starts a server; the test stops it. */
async function serve(
  t: Test,
  database = url,
  ...args: readonly string[]
): Promise<Running & { readonly url: string }> {
  const running = startWith(database, "--port", "0", ...args);
  stopAfter(t, running);
  const [, base] = await running.until("stdout", /^Listening on (.*)\n/);
  return { ...running, url: base! };
}

/** Lists the plants of `t`, within two seconds. */
async function getStatus(base: string): Promise<number> {
  const start = performance.now();
  const { status } = await list(base, "t");
  const time = performance.now() - start;
  assert(time < allow(2_000), `${status} after ${time} ms`);
  return status;
}

/** Returns the lines about the database in the log of a server, and stops it. */
async function readLog(running: Running): Promise<readonly string[]> {
  running.kill("SIGTERM");
  const { status, stderr } = await running.ended;
  assertEquals(status, 0, stderr);
  const lines = stderr.split("\n").filter((line) => line.includes("database"));
  return lines.map((line) => /unavailable: .*|again/.exec(line)![0]);
}

assertEquals((await runImport(url, contract)).status, 0);
testContract("the PostgreSQL store in process", async (setup) => {
  if (FAILING[setup]) {
    return openHandler(createHandler(FAILING[setup], OPTIONS[setup]));
  }
  const store = await openPostgresStore({ url });
  const handler = createHandler(addRuntime(store), OPTIONS[setup]);
  return openHandler(handler, store.close);
});

test("two servers show an import at once, with behavior and --delay", async (t) => {
  await fill(t, [{ name: "a" }]);
  const servers = [await serve(t), await serve(t, url, "--delay", "300")];
  for (const name of ["b", "c"]) {
    await fill(t, [{ name }], {
      u: { plants: "all", tokens: [name] },
      flaky: { plants: "all", behavior: { fail: "1/2" }, tokens: ["flaky"] },
    });
    for (const { url: base } of servers) {
      assertEquals(await (await list(base, name)).json(), [{ name }]);
      assertEquals(await getStatus(base), 401);
      assertEquals((await list(base, "flaky")).status, 503);
      assertEquals((await list(base, "flaky")).status, 200);
    }
  }
  const start = performance.now();
  await list(servers[1]!.url, "c");
  assert(performance.now() - start > 250);
});

test("an import stores digests, expiration, and any text", async (t) => {
  const long = "🌱\\\"{},'\ufeff".repeat(1_000);
  const plants = [{ name: long, tag: long }, { name: "x" }, { name: "NULL" }];
  const access = JSON.stringify({ tags: [long], names: ["NULL"] });
  await fill(
    t,
    plants,
    `\ufeff{ "$schema": "./tokens.schema.json", "__proto__": { "plants": ${access},
      "tokens": ["plain-1", { "token": "plain-2", "expires": "9999-12-31" },
        { "token": "plain-3", "expires": "0000-01-01" },
        { "sha256": "${digest("plain-4")}" }] } }` as never,
  );
  const store = await openStore(t);
  for (const token of ["plain-1", "plain-2", "plain-4"]) {
    const user = (await store.authenticate(token))!;
    assertEquals(user.name, "__proto__");
    assertEquals(await user.list(), [plants[0]!, plants[2]!]);
  }
  assertEquals(await store.authenticate("plain-3"), undefined);
  const [row] = await query(url, "select users::text from plant_store.content");
  assert(!row!["users"].includes("plain"), "a plain token");
});

test("invalid files change nothing, even if the database is down", async (t) => {
  await fill(t, [{ name: "a" }]);
  const files = await writeFiles(t, {
    plants: [{ name: "" }],
    tokens: {
      a: { plants: {}, tokens: ["t"] },
      b: { plants: {}, tokens: [{ sha256: digest("t") }] },
    },
  });
  const { status, stderr } = await runImport("postgres://h:1/d", files);
  assertEquals(status, 1);
  assertMatch(
    stderr,
    /^.*:1:10: name must[^\n]*\n.*:1:\d+: duplicate token.*\n$/,
  );
  const file = await open(files.plants, "w");
  await file.truncate(50_000_001);
  await file.close();
  const large = await runImport(url, { ...contract, plants: files.plants });
  assertEquals(large.status, 1);
  assertMatch(large.stderr, /: the file is larger than 50 MB\n$/);
  const user = await (await openStore(t)).authenticate("t");
  assertEquals(await user!.list(), [{ name: "a" }]);
});

test("readers never see a mixture of imports", async (t) => {
  const write = (tag: string) =>
    writeFiles(t, {
      plants: Array.from({ length: 20_000 }, () => ({ name: tag, tag })),
      tokens: { curator: { plants: { tags: [tag] }, tokens: ["t"] } },
    });
  const files = await Promise.all(["a", "b", "c"].map(write));
  assertEquals((await runImport(url, files[0]!)).status, 0);
  const store = await openStore(t);
  let isDone = false;
  const imports = Promise.all(files.map((each) => runImport(url, each)));
  imports.then(() => isDone = true);
  const seen = new Set<string | undefined>();
  while (!isDone) {
    const plants = await (await store.authenticate("t"))!.list();
    const tags = new Set(plants.map(({ tag }) => tag));
    assertEquals([plants.length, tags.size], [20_000, 1]);
    seen.add(plants[0]!.tag);
  }
  assertEquals((await imports).map(({ status }) => status), [0, 0, 0]);
  assert(seen.size > 1, "no import while reading");
  // The response with a frozen list is cached.
  const listAgain = async () => (await store.authenticate("t"))!.list();
  assert(Object.isFrozen(await listAgain()));
  assert(await listAgain() === await listAgain());
});

test("a killed import changes nothing, and the next one works", async (t) => {
  await fill(t, [{ name: "a" }]);
  const { plants, tokens } = contract;
  await connect(url, async (client) => {
    await client.query("begin; lock table plant_store.content in share mode");
    const args = ["--plants", plants, "--tokens", tokens];
    const running = startWith(url, "import", ...args);
    const waiting = "select from pg_locks where not granted";
    await until(async () => (await query(url, waiting)).length > 0);
    running.kill("SIGKILL");
    await running.ended;
  });
  const store = await openStore(t);
  const names = async () => await (await store.authenticate("t"))!.list();
  assertEquals(await names(), [{ name: "a" }]);
  await fill(t, [{ name: "b" }]);
  assertEquals(await names(), [{ name: "b" }]);
});

test("a restart and a hanging database cause 503 for a time, and two lines each", async (t) => {
  await fill(t, [{ name: "a" }]);
  const running = await serve(t);
  const statuses = new Set<number>();
  let isDone = false;
  const clients = Array.from({ length: 20 }, async () => {
    while (!isDone) statuses.add(await getStatus(running.url));
  });
  const isReady = async () =>
    (await fetch(new URL("readyz", running.url))).status === 200;
  const outages: readonly (readonly (() => Promise<void>)[])[] = [
    [database.down, database.up],
    [() => database.signal("SIGSTOP"), () => database.signal("SIGCONT")],
  ];
  for (const [begin, end] of outages) {
    await until(isReady);
    await begin!();
    await until(async () => !await isReady());
    await setTimeout(500);
    await end!();
  }
  await until(isReady);
  isDone = true;
  await Promise.all(clients);
  assertEquals([...statuses].sort(), [200, 503]);
  const log = await readLog(running);
  assertMatch(
    log.join(),
    /^unavail[^,]*,again,unavail.*respond in time,again$/,
  );
});

test("a database can be distant: 600 ms, with TLS", async (t) => {
  await fill(t, [{ name: "a" }]);
  const port = await listen(
    t,
    createServer((client) => {
      const server = createConnection(database.port, "127.0.0.1");
      const pipe = (from: Socket, to: Socket) =>
        from.on("data", (data) => setTimeout(300).then(() => to.write(data)))
          .on("close", () => to.destroy()).on("error", () => {});
      pipe(client, server);
      pipe(server, client);
    }),
  );
  const options = "?sslmode=no-verify&application_name=distant";
  const distant = `${url.replace(`${database.port}`, `${port}`)}${options}`;
  const store = await openStore(t, { url: distant });
  const start = performance.now();
  await assertRejects(() => store.authenticate("t"), StoreUnavailableError);
  const time = performance.now() - start;
  assert(time > 1_700 && time < allow(2_000), `${time} ms`);
  await until(() => store.ready().then(() => true, () => false));
  assertEquals((await store.authenticate("t"))?.name, "curator");
  const rows = await query(
    url,
    `select ssl from pg_stat_ssl join pg_stat_activity using (pid)
    where application_name = 'distant'`,
  );
  assertEquals(rows, [{ ssl: true }]);
});

test("a slow query ends, here and in the database, and load is no outage", async (t) => {
  await fill(t, [{ name: "a" }]);
  const outages: (string | undefined)[] = [];
  const store = await openStore(t, {
    url: `${url}?application_name=store`,
    onStatus: (outage) => outages.push(outage?.message),
  });
  const listAll = (count: number) =>
    Promise.allSettled(
      Array.from({ length: count }, () => store.authenticate("t")),
    );
  const find = (condition: string) =>
    query(
      url,
      `select pid from pg_stat_activity
      where application_name = 'store' and ${condition}`,
    );
  const all = await listAll(1_000);
  assert(all.every(({ status }) => status === "fulfilled"));
  assertEquals((await find("true")).length, 1);
  const busy = store.authenticate("t");
  await setTimeout(1);
  const end = performance.now() + 2_000;
  while (performance.now() < end) {
    // This process is busy.
  }
  assertEquals((await busy)?.name, "curator");
  assertEquals(outages, []);

  await connect(url, async (client) => {
    await client.query(
      "begin; lock table plant_store.content in access exclusive mode",
    );
    const start = performance.now();
    const all = await listAll(1_000);
    const time = performance.now() - start;
    assert(time < allow(2_000), `${time} ms`);
    assert(all.every(({ status }) => status === "rejected"));
    await until(async () =>
      (await find("wait_event_type = 'Lock'")).length < 1
    );
  });
  await store.ready();
  assertEquals(outages.length, 2);
  assertMatch(outages[0]!, /statement timeout|in time/);
});

test("messages explain problems without the password", async (t) => {
  await query(url, "create database empty");
  const wrong = url.replace(/:[^:]*@/, ":s3cret-guess@");
  for (
    const [database, expected] of [
      [wrong, 'password authentication failed for user "plants"'],
      [url.replace(/postgres$/, "empty"), "plant-store import"],
      [url.replace(/:\d+\//, ":1/"), "ECONNREFUSED"],
      [url.replace(/postgres$/, "missing"), '"missing" does not exist'],
      [`${url}?sslmode=verify-full`, "signed certificate"],
    ] as const
  ) {
    const running = await serve(t, database);
    assertEquals(await getStatus(running.url), 503);
    const readiness = await fetch(new URL("readyz", running.url));
    assertEquals(readiness.status, 503);
    const log = await readLog(running);
    assertEquals(log.length, 1);
    assertStringIncludes(log[0]!, expected);
  }
  const failed = await runImport(wrong, contract);
  assertEquals(failed.status, 1);
  assertMatch(
    failed.stderr,
    /^plant-store: password authentication failed.*\n$/,
  );
  const invalid = "postgres://u:s3cret-guess@h:99999/d";
  for (
    const [running, expected] of [
      [startWith(invalid), "the database URL is invalid"],
      [startWith(invalid, "import"), "the database URL is invalid"],
      [startWith("", "import"), "set --database-url or DATABASE_URL"],
      [startWith(url, "--plants", "x"), "--plants and DATABASE_URL exclude"],
    ] as const
  ) {
    const { status, stderr } = await running.ended;
    assertEquals(status, 2, stderr);
    assertStringIncludes(stderr, expected);
  }
  assertEquals(findPassword(), undefined);
});

test("a role that can only read is sufficient", async (t) => {
  await fill(t, [{ name: "a" }]);
  await query(
    url,
    `create role reader login password 'r';
    grant usage on schema plant_store to reader`,
  );
  const reader = url.replace(/\/\/.*@/, "//reader:r@");
  const store = await openStore(t, { url: reader });
  await assertRejects(() => store.ready(), StoreUnavailableError);
  await query(url, "grant select on plant_store.content to reader");
  await store.ready();
  await fill(t, [{ name: "b" }]); // an import keeps the privileges
  const user = await store.authenticate("t");
  assertEquals(await user!.list(), [{ name: "b" }]);
  await assertRejects(
    () => query(reader, "delete from plant_store.content"),
    Error,
    "permission denied",
  );
});

test("serve lists the demo tokens in the database", async (t) => {
  await fill(t, [], { u: { plants: "all", tokens: ["demo-slow"] } });
  const { kill, ended } = await serve(t);
  kill("SIGTERM");
  const { stdout, stderr } = await ended;
  assertMatch(stdout, /^Demo tokens:\n  demo-slow  takes 2 seconds\n$/m);
  assertEquals(stderr, "");
});
