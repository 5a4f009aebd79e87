import { after, before, test, type TestContext } from "node:test";
import { assert, assertEquals } from "@std/assert";
import postgres from "postgres";
import { digest } from "../../contract/stores.ts";
import { type Running, startServer } from "../../support/command.ts";
import { watchLateness } from "../../support/lateness.ts";
import { findPort } from "../../support/port.ts";
import { until } from "../../support/until.ts";
import { type Nginx, NO_RATE_LIMIT, startNginx } from "../deploy/nginx.ts";
import { createDatabase, type Database } from "../postgres/database.ts";
import {
  type Content,
  count,
  createContent,
  type Load,
  startLoad,
} from "./load.ts";
import { type Pair, startPair } from "./postgres.ts";

// Two replicas behind nginx with the shipped site, which list plants from a
// standby, under load.

const OLD = createContent("old", ["tag 1", "tag 2"]);
const NEW = createContent("new", ["tag 2", "tag 3"]);

/** Limits in milliseconds: recovery, and caching tokens without the primary. */
const RECOVERY = 2_000, CACHING = 5_000;
const allow = watchLateness();

/** Runs the cleanup functions in reverse order. */
const cleanups: (() => unknown)[] = [];
const hooks = { after: (fn: () => unknown) => cleanups.unshift(fn) };
after(async () => {
  for (const cleanUp of cleanups) await cleanUp();
});

let pair: Pair;
let database: Database;
let readUrl: string;
let ports: readonly [number, number];
let replicas: Running[];
let nginx: Nginx;

before(async () => {
  pair = await startPair(hooks);
  database = await createDatabase(pair.primary.url);
  const { pathname } = new URL(database.url);
  readUrl = pair.standby.url.replace("/postgres", pathname);
  await fill(OLD);
  ports = [await findPort(), await findPort()];
  replicas = await Promise.all(ports.map(startReplica));
  nginx = await startNginx(hooks, ports, NO_RATE_LIMIT);
  await Promise.all(ports.map((port) => untilListed(port)));
});

/** Replaces all plants and users. */
function fill({ plants, users }: Content): Promise<void> {
  const records = Object.entries(users).map(([user, plants]) => [
    user,
    { plants, tokens: [{ sha256: digest(user) }] },
  ]);
  return database.fill(plants, Object.fromEntries(records));
}

function startReplica(port: number): Promise<Running> {
  return startServer(hooks, [
    ...["--port", `${port}`],
    ...["--database-url", database.url, "--database-read-url", readUrl],
  ]);
}

/** Sends a request to a replica without nginx. */
async function send(port: number, path: string, token = "curator") {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, body: await response.json() };
}

/** Waits for a condition and returns how many milliseconds that took. */
async function time(condition: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  await until(condition);
  return performance.now() - start;
}

/** Waits until a replica returns a list that starts with a name. */
function untilListed(port: number, name = "old 0"): Promise<number> {
  return time(async () => {
    const { status, body } = await send(port, "/plants?limit=1");
    return status === 200 && body[0].name === name;
  });
}

/** Runs a task with a connection to the primary or the standby. */
async function query<T>(
  url: string,
  task: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice() {} });
  try {
    return await task(sql);
  } finally {
    await sql.end();
  }
}

/** Returns how many lists a server has read; it updates the number each second. */
function countReads(url: string): Promise<number> {
  return query(url, async (sql) => {
    const [row] = await sql<[{ reads: string }]>`
      select idx_scan as reads from pg_stat_user_tables
      where relname = 'plants'`;
    return Number(row.reads);
  });
}

/** Waits until the standby has read this number of additional lists. */
async function untilRead(count: number): Promise<void> {
  const total = await countReads(readUrl) + count;
  await until(async () => await countReads(readUrl) >= total);
}

/** Runs a task under load, and asserts that no request is lost. */
async function assertNoLoss(
  t: TestContext,
  content: Content,
  task: (load: Load) => Promise<void>,
): Promise<void> {
  const load = startLoad(t, nginx, content);
  await load.untilMore(500);
  await task(load);
  await load.untilMore(500);
  const counts = count(await load.stop());
  assertEquals(Object.keys(counts), ["200"], JSON.stringify(counts));
}

test("lists come from the standby", async (t) => {
  await assertNoLoss(t, OLD, async () => {
    await untilRead(1);
    const before = await countReads(database.url);
    await untilRead(1_000);
    const primary = await countReads(database.url) - before;
    assert(primary < 100, `${primary} lists came from the primary`);
  });
});

test("an import reaches every replica within a second, and no list mixes imports", async (t) => {
  await assertNoLoss(t, OLD, async (load) => {
    load.expect(OLD, NEW);
    for (let round = 0; round < 5; round++) {
      await fill(NEW);
      await fill(OLD);
    }
    await fill(NEW);
    const times = await Promise.all(
      ports.map((port) => untilListed(port, "new 0")),
    );
    assert(Math.max(...times) < allow(1_000), `${times} ms`);
    load.expect(NEW);
    await untilRead(500);
  });
});

test("a standby that lags or is stopped loses no request", async (t) => {
  await assertNoLoss(t, NEW, async (load) => {
    await query(readUrl, (sql) => sql`select pg_wal_replay_pause()`);
    load.expect(NEW, OLD);
    await fill(OLD);
    await Promise.all(ports.map((port) => untilListed(port)));
    load.expect(OLD);
    await load.untilMore(500);
    await query(readUrl, (sql) => sql`select pg_wal_replay_resume()`);
    await load.untilMore(500);
    await pair.standby.stop("fast");
    await load.untilMore(500);
    await pair.standby.start();
  });
});

test("replicas that are killed and restarted lose no request", async (t) => {
  await assertNoLoss(t, OLD, async (load) => {
    for (const [index, port] of ports.entries()) {
      replicas[index]!.kill("SIGKILL");
      await replicas[index]!.ended;
      await load.untilMore(500);
      replicas[index] = await startReplica(port);
      await untilListed(port);
    }
  });
});

for (
  const [description, leave, comeBack, milliseconds] of [
    [
      "is stopped",
      () => pair.primary.stop("fast"),
      () => pair.primary.start(),
      0,
    ],
    [
      "crashes",
      () => pair.primary.stop("immediate"),
      () => pair.primary.start(),
      0,
    ],
    [
      "hangs",
      () => pair.primary.signal("SIGSTOP"),
      () => pair.primary.signal("SIGCONT"),
      CACHING,
    ],
  ] as const
) {
  test(`requests recover when the primary ${description} and continues`, async (t) => {
    const load = startLoad(t, nginx, OLD);
    await load.untilMore(500);
    const leaving = performance.now();
    await leave();
    const gone = performance.now();
    const expired = gone + allow(CACHING); // no token is cached any longer
    await load.untilMore(500);
    await until(() =>
      load.outcomes.some(({ result, at }) =>
        result === 503 && at > gone + milliseconds
      )
    );
    for (const port of ports) {
      assertEquals((await send(port, "/readyz")).status, 503);
    }
    const returning = performance.now();
    await comeBack();
    const recovered = performance.now() + allow(RECOVERY);
    await until(() =>
      load.outcomes.filter(({ at }) => at > recovered).length > 100
    );
    const outcomes = await load.stop();
    const counts = count(outcomes);
    t.diagnostic(JSON.stringify(counts));
    assertEquals(Object.keys(counts).sort(), ["200", "503"]);
    for (const { at, result } of outcomes) {
      if (at < leaving || at > recovered) assertEquals(result, 200);
      if (at > expired && at < returning) assertEquals(result, 503);
    }
  });
}
