import process from "node:process";
import { after, test, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import type { Plant } from "../../../mod.ts";
import { digest } from "../../contract/stores.ts";
import { startServer } from "../../support/command.ts";
import { watchLateness } from "../../support/lateness.ts";
import { list as request } from "../../support/send.ts";
import { until } from "../../support/until.ts";
import { connect, fill, query, startDatabaseServer } from "./server.ts";

const PLANTS: readonly Plant[] = Array.from(
  { length: 500 },
  (_, index) => ({ name: `Plant ${index}` }),
);
const BODY = JSON.stringify(PLANTS);

/** The limit for a response and for recovery, in milliseconds. */
const SOON = 2_000;
const allow = watchLateness();

const server = await startDatabaseServer({ after }, { hasTls: true });
const database = server.url;
await fill(database, PLANTS);

/** Lists all plants, checks the body and its time, and returns the status. */
async function list(url: string, token = "token"): Promise<number> {
  const start = performance.now();
  const response = await request(url, token);
  const body = await response.text();
  const took = performance.now() - start;
  assert(took < allow(SOON), `${response.status} after ${took} ms`);
  if (response.status === 200) assertEquals(body, BODY);
  return response.status;
}

/** Sends concurrent requests and returns their distinct statuses. */
async function listAtOnce(url: string, count: number): Promise<number[]> {
  const statuses = await Promise.all(
    Array.from({ length: count }, () => list(url)),
  );
  return [...new Set(statuses)];
}

/** Waits for a status, and asserts that this does not take longer than a limit. */
async function assertSoon(
  status: number,
  url: string,
  token?: string,
  limit: number = SOON,
): Promise<void> {
  const start = performance.now();
  await until(async () => await list(url, token) === status);
  const took = performance.now() - start;
  assert(took < allow(limit), `${status} after ${took} ms`);
}

/** Starts a server that lists plants. */
async function start(t: TestContext, env = {}) {
  const running = await startServer(t, ["--database-url", database], env);
  await until(async () => await list(running.url) === 200);
  return running;
}

/** Runs a task while no query can read a table. */
function locking(table: string, task: () => Promise<unknown>) {
  return connect(database, async (sql) => {
    await sql.query(
      `begin; lock table plant_store.${table} in access exclusive mode`,
    );
    await task();
  });
}

test("a server that starts without its database recovers when it is available", async (t) => {
  await server.stop();
  const running = await startServer(t, ["--database-url", database]);
  const { url } = running;
  assertEquals((await fetch(`${url}readyz`)).status, 503);
  assertEquals((await fetch(`${url}healthz`)).status, 200);
  assertEquals(await list(url), 503);
  await server.start();
  await assertSoon(200, url);
  assertEquals((await fetch(`${url}readyz`)).status, 200);
  running.kill("SIGTERM");
  const { status, stderr } = await running.ended;
  assertEquals(status, 0);
  assertMatch(
    stderr,
    /^\S+ database unavailable: .*\n\S+ database available again\n$/,
  );
  assertNotMatch(stderr, /s3cret/);
});

test("lists return 503 while the database hangs, and recover", async (t) => {
  const { url } = await start(t);
  await server.signal("SIGSTOP");
  for (let round = 0; round < 3; round++) {
    assertEquals(await listAtOnce(url, 16), [503]);
  }
  await server.signal("SIGCONT");
  await assertSoon(200, url);
});

test("lists return 503 while the pool is exhausted, and recover", async (t) => {
  const { url } = await start(t);
  await locking("plants", async () => {
    assertEquals(await listAtOnce(url, 60), [503]);
  });
  await assertSoon(200, url);
});

test("SIGTERM completes in-flight requests", async (t) => {
  const running = await start(t);
  const revoke = await addToken("temporary");
  let response: Promise<number>;
  await locking("tokens", async () => {
    response = list(running.url, "temporary");
    const waiting = "select from pg_locks where not granted";
    await until(async () => (await query(database, waiting)).length > 0);
    running.kill("SIGTERM");
    const ping = () => fetch(`${running.url}healthz`);
    await until(() => ping().then(() => false, () => true));
  });
  assertEquals(await response!, 200);
  const { status, stderr } = await running.ended;
  assertEquals([status, stderr], [0, ""]);
  await revoke();
});

/** Adds a token and returns a function that revokes it. */
async function addToken(token: string): Promise<() => Promise<unknown>> {
  const sha256 = digest(token);
  await query(
    database,
    `insert into plant_store.tokens (user_id, sha256)
    select id, $1 from plant_store.users`,
    [sha256],
  );
  const revoke = "delete from plant_store.tokens where sha256 = $1";
  return () => query(database, revoke, [sha256]);
}

test("a valid token is trusted for a second, and others are not", async (t) => {
  const { url } = await start(t);
  const revoke = await addToken("other");
  await list(url);
  await locking("tokens", async () => {
    assertEquals(await list(url), 200);
    assertEquals(await list(url, "other"), 503);
    await setTimeout(1_000);
    assertEquals(await list(url), 503);
  });
  await revoke();
});

test("a list returns 503 within 2 seconds, even if its token is read slowly", async (t) => {
  const { url } = await start(t);
  const revoke = await addToken("slow");
  await locking("plants", async () => {
    let response: Promise<number>;
    await locking("tokens", async () => {
      response = list(url, "slow");
      await setTimeout(600);
    });
    assertEquals(await response!, 503);
  });
  await revoke();
});

test("an outage is reported without a request when a connection is lost", async (t) => {
  const running = await start(t);
  await server.stop("SIGQUIT");
  await running.until("stderr", /database unavailable: .*\n/);
  await server.start();
  await assertSoon(200, running.url);
  assertEquals((await fetch(`${running.url}readyz`)).status, 200);
});

test("a server stops while its database hangs", async (t) => {
  const running = await start(t);
  t.after(() => server.signal("SIGCONT"));
  await server.signal("SIGSTOP");
  const since = performance.now();
  running.kill("SIGTERM");
  assertEquals((await running.ended).status, 0);
  const took = performance.now() - since;
  assert(took < allow(SOON), `${took} ms`);
});

/** Sends a signal to each process of the database that serves a connection. */
async function signalConnections(signal: NodeJS.Signals): Promise<void> {
  const rows = await query(
    database,
    `select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`,
  );
  for (const { pid } of rows) process.kill(pid, signal);
}

for (
  const [limit, event, signal] of [
    [1_000, "", "SIGCONT"],
    [2_000, " while connections hang", "SIGSTOP"],
    [1_000, " after connections were lost", "SIGTERM"],
  ] as const
) {
  test(`a revocation${event} reaches every replica within ${limit} ms`, async (t) => {
    t.after(() => server.signal("SIGCONT"));
    const replicas = [await start(t), await start(t)];
    const revoke = await addToken("temporary");
    for (const { url } of replicas) await assertSoon(200, url, "temporary");
    await signalConnections(signal);
    await revoke();
    await Promise.all(
      replicas.map(({ url }) => assertSoon(401, url, "temporary", limit)),
    );
  });
}

for (
  const [mode, isTrusted, status] of [
    ["disable", false, 200],
    ["require", false, 200],
    ["verify-full", false, 503],
    ["verify-full", true, 200],
  ] as const
) {
  const issuer = isTrusted ? "a known" : "an unknown";
  test(`with sslmode=${mode} and ${issuer} issuer, /readyz returns ${status}`, async (t) => {
    const url = database.replace("127.0.0.1", "localhost");
    const running = await startServer(t, [], {
      DATABASE_URL: `${url}?sslmode=${mode}`,
      NODE_EXTRA_CA_CERTS: isTrusted ? server.certificate : "",
    });
    assertEquals((await fetch(`${running.url}readyz`)).status, status);
    const rows = await query(
      database,
      `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid)
      where datname = current_database() and pid <> pg_backend_pid()`,
    );
    const ssl = mode !== "disable";
    assertEquals(rows, status === 200 ? [{ ssl }] : []);
    running.kill("SIGTERM");
    const { stderr } = await running.ended;
    assertMatch(stderr, status === 503 ? /self-signed certificate/ : /^$/);
    assertNotMatch(stderr, /s3cret/);
  });
}
