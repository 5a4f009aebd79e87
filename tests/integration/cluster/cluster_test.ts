import { after, before, test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { assert, assertEquals } from "@std/assert";
import postgres from "postgres";
import { type Running, startServer } from "../../support/command.ts";
import { digest } from "../../contract/stores.ts";
import { findPort, type Proxy, startNginx } from "../deploy/nginx.ts";
import { watchLateness } from "../../support/lateness.ts";
import { createDatabase, type Database } from "../postgres/database.ts";
import { until } from "../../support/until.ts";
import {
  type Content,
  count,
  createContent,
  type Load,
  longest,
  type Outcome,
  startLoad,
} from "./load.ts";
import { type Pair, startPair } from "./postgres.ts";

// Two replicas of the service behind nginx, with the shipped site, on a primary
// and on a standby for the lists. What befalls them befalls them under load.

const OLD = createContent("old", ["tag 1", "tag 2"]);
const NEW = createContent("new", ["tag 2", "tag 3"]);

/** How long a recovery may take, and tokens are trusted without the primary, in milliseconds. */
const SOON = 2_000, TRUST = 5_000;
const allow = watchLateness();

/** What ends what was started, the last first. */
const endings: (() => unknown)[] = [];
const hooks = { after: (end: () => unknown) => endings.unshift(end) };
after(async () => {
  for (const end of endings) await end();
});

let pair: Pair;
let database: Database;
let readUrl: string;
let ports: readonly [number, number];
let replicas: Running[];
let proxy: Proxy;

before(async () => {
  pair = await startPair(hooks);
  database = await createDatabase(pair.primary.url);
  readUrl = pair.standby.url.replace(
    "/postgres",
    new URL(database.url).pathname,
  );
  await fill(OLD);
  ports = [await findPort(), await findPort()];
  replicas = await Promise.all(ports.map(startReplica));
  proxy = await startNginx(hooks, ports, "100000r/s");
  await Promise.all(ports.map(untilListed));
});

/** Puts other plants and users in the place of all. */
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

/** Asks a replica, past nginx. */
function ask(port: number, path: string, token = "curator"): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  return fetch(`http://127.0.0.1:${port}${path}`, { headers });
}

/** Waits until something is so, and gives how long that took. */
async function time(isSo: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  await until(isSo);
  return performance.now() - start;
}

function untilListed(port: number): Promise<void> {
  return until(async () => {
    const { status } = await ask(port, "/plants?limit=1");
    return status === 200;
  });
}

/** Waits until the answers of a replica start with this plant. */
function untilFirst(port: number, name: string): Promise<number> {
  return time(async () => {
    const response = await ask(port, "/plants?limit=1");
    const plants = await response.json();
    return response.status === 200 && plants[0].name === name;
  });
}

/** Does something with a connection to the primary or the standby. */
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

/** How often a list was read from a server, as it counts; what is under way tells of itself each second. */
function countReads(url: string): Promise<number> {
  return query(url, async (sql) => {
    const [row] = await sql<[{ reads: string }]>`
      select idx_scan as reads from pg_stat_user_tables
      where relname = 'plants'`;
    return Number(row.reads);
  });
}

/** Waits until so many more lists have been read from the standby. */
async function untilRead(count: number): Promise<void> {
  const all = await countReads(readUrl) + count;
  await until(async () => await countReads(readUrl) >= all);
}

function milliseconds(value: number): string {
  return `${value.toFixed(0)} ms`;
}

/** Says what became of the requests. */
function report(t: TestContext, outcomes: readonly Outcome[]): void {
  const counts = JSON.stringify(count(outcomes));
  t.diagnostic(
    `${counts}, the longest took ${milliseconds(longest(outcomes))}`,
  );
}

/** Ends a load of which no request may have been lost. */
async function endWithoutLoss(t: TestContext, load: Load): Promise<void> {
  const outcomes = await load.stop();
  report(t, outcomes);
  assert(outcomes.length > 100);
  assertEquals(Object.keys(count(outcomes)), ["200"]);
}

test("lists come from the standby", async (t) => {
  const load = startLoad(t, proxy, OLD);
  await untilRead(2_000);
  const before = await countReads(database.url);
  await untilRead(5_000);
  const primary = await countReads(database.url) - before;
  t.diagnostic(`read from the primary ${primary}, from the standby 5000`);
  assert(primary < 50);
  await endWithoutLoss(t, load);
});

test("other plants reach the readers of the standby, and no list is of two imports", async (t) => {
  const load = startLoad(t, proxy, OLD);
  await load.untilMore(100);
  load.expect(OLD, NEW);
  for (let time = 0; time < 5; time++) {
    await fill(NEW);
    await fill(OLD);
  }
  await fill(NEW);
  const took = await Promise.all(
    ports.map((port) => untilFirst(port, "new 0")),
  );
  load.expect(NEW);
  t.diagnostic(`new plants in ${took.map(milliseconds).join(", ")}`);
  for (const each of took) assert(each < allow(1_000), milliseconds(each));
  const caughtUp = await time(async () => {
    const versions = await Promise.all(
      [database.url, readUrl].map((url) =>
        query(url, async (sql) => {
          const [row] = await sql<[{ version: string }]>`
            select version from plant_store.content`;
          return row.version;
        })
      ),
    );
    return versions[0] === versions[1];
  });
  t.diagnostic(`the standby has them in ${milliseconds(caughtUp)}`);
  await untilRead(5_000);
  await endWithoutLoss(t, load);
});

test("a standby that lags or is away costs no request", async (t) => {
  const load = startLoad(t, proxy, NEW);
  await query(readUrl, (sql) => sql`select pg_wal_replay_pause()`);
  load.expect(NEW, OLD);
  await fill(OLD);
  await Promise.all(ports.map((port) => untilFirst(port, "old 0")));
  load.expect(OLD);
  await load.untilMore(500);
  await query(readUrl, (sql) => sql`select pg_wal_replay_resume()`);
  await load.untilMore(500);
  await pair.standby.stop("fast");
  await load.untilMore(500);
  await pair.standby.start();
  await load.untilMore(500);
  await endWithoutLoss(t, load);
});

test("a revocation reaches both replicas within a second", async (t) => {
  await query(database.url, (sql) =>
    sql`
      insert into plant_store.tokens (user_id, sha256)
      select id, ${digest("lent")} from plant_store.users limit 1`);
  const status = async (port: number) => {
    const response = await ask(port, "/plants?limit=1", "lent");
    await response.body?.cancel();
    return response.status;
  };
  for (const port of ports) {
    for (let time = 0; time < 20; time++) assertEquals(await status(port), 200);
  }
  await query(database.url, (sql) =>
    sql`
      delete from plant_store.tokens where sha256 = ${digest("lent")}`);
  const took = await Promise.all(
    ports.map((port) => time(async () => await status(port) === 401)),
  );
  t.diagnostic(`revoked in ${took.map(milliseconds).join(", ")}`);
  for (const each of took) assert(each < allow(1_000), milliseconds(each));
});

test("replicas that are killed and start again cost no request", async (t) => {
  const load = startLoad(t, proxy, OLD);
  for (const [at, port] of ports.entries()) {
    await load.untilMore(500);
    replicas[at]!.kill("SIGKILL");
    await replicas[at]!.ended;
    await load.untilMore(500);
    replicas[at] = await startReplica(port);
    await untilListed(port);
  }
  await load.untilMore(500);
  await endWithoutLoss(t, load);
});

for (const mode of ["fast", "immediate"] as const) {
  test(`a primary that is stopped (${mode}) and started`, async (t) => {
    const load = startLoad(t, proxy, OLD);
    await load.untilMore(500);
    const left = performance.now();
    await pair.primary.stop(mode);
    const gone = performance.now();
    await load.untilMore(500);
    for (const port of ports) {
      assertEquals((await ask(port, "/readyz")).status, 503);
    }
    const begun = performance.now();
    await pair.primary.start();
    const back = performance.now();
    await judge(t, load, { left, gone, begun, back });
  });
}

test("a primary that hangs", async (t) => {
  const load = startLoad(t, proxy, OLD);
  await load.untilMore(500);
  const left = performance.now();
  await pair.primary.signal("SIGSTOP");
  const gone = performance.now();
  await wait(allow(TRUST) + SOON);
  const begun = performance.now();
  await pair.primary.signal("SIGCONT");
  const back = performance.now();
  await judge(t, load, { left, gone, begun, back });
});

/** When a primary began to go, was gone, began to come back, and was back. */
interface Outage {
  readonly left: number;
  readonly gone: number;
  readonly begun: number;
  readonly back: number;
}

/** Judges a load during which the primary was away, once it has been back for long enough. */
async function judge(
  t: TestContext,
  load: Load,
  { left, gone, begun, back }: Outage,
): Promise<void> {
  const well = back + allow(SOON);
  await until(() =>
    load.outcomes.filter(({ at, result }) => at > well && result === 200)
      .length > 100
  );
  const outcomes = await load.stop();
  report(t, outcomes);
  const listed = outcomes.filter(({ result }) => result === 200);
  const refused = outcomes.filter(({ result }) => result === 503);
  assert(refused.length > 0, "503 has to be answered without a primary");
  const first = refused[0]!.at - left;
  const last = Math.max(0, refused.at(-1)!.at - back);
  const late = listed.findLast(({ at }) => at < begun)!.at - gone;
  t.diagnostic(
    `away ${milliseconds(back - gone)}; ` +
      `503 from ${milliseconds(first)} after it began to go ` +
      `until ${milliseconds(last)} after it was back, ` +
      `the last 200 meanwhile ${
        milliseconds(Math.max(0, late))
      } after it was gone`,
  );
  assertEquals(Object.keys(count(outcomes)).sort(), ["200", "503"]);
  assert(first > 0 && back + last < well);
  assert(late < allow(TRUST), milliseconds(late));
}
