import { after, before, test, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import type { Plant } from "../../../mod.ts";
import type { Client } from "../../../src/stores/postgres/client.ts";
import { digest } from "../../contract/stores.ts";
import { startServer } from "../../support/command.ts";
import { watchLateness } from "../../support/lateness.ts";
import { until } from "../../support/until.ts";
import { createDatabase, type Database } from "./database.ts";
import { startProxy } from "./proxy.ts";
import { type DatabaseServer, startDatabaseServer } from "./server.ts";

const PLANTS: readonly Plant[] = Array.from(
  { length: 500 },
  (_, index) => ({ name: `Plant ${index}` }),
);
const BODY = JSON.stringify(PLANTS);

/** The limit for a response and for recovery, in milliseconds. */
const SOON = 2_000;
const allow = watchLateness();

let server: DatabaseServer;
let database: Database;
before(async () => {
  server = await startDatabaseServer();
  database = await createDatabase(server.url);
  await database.fill(PLANTS, {
    curator: {
      plants: "all",
      tokens: [{ sha256: digest("token") }, { sha256: digest("other") }],
    },
  });
});
after(async () => {
  await database.remove();
  await server.remove();
});

/** Lists all plants, checks the response and its time, and returns the status. */
async function list(
  url: string,
  token = "token",
): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${url}plants`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { status, headers } = response;
  const body = await response.text();
  const took = performance.now() - start;
  assert(took < allow(SOON), `${status} after ${took} ms`);
  if (status === 200) assertEquals(body, BODY);
  else if (status === 503) {
    assertEquals(headers.get("retry-after"), "1");
    assertMatch(body, /^\{"error":503,/);
  } else assertEquals(status, 401);
  return status;
}

/** Sends concurrent requests and returns their distinct statuses. */
async function listAtOnce(url: string, count: number): Promise<number[]> {
  const statuses = await Promise.all(
    Array.from({ length: count }, () => list(url)),
  );
  return [...new Set(statuses)];
}

/** Waits for a status and returns how many milliseconds that took. */
async function time(
  status: number,
  url: string,
  token?: string,
): Promise<number> {
  const start = performance.now();
  await until(async () => await list(url, token) === status);
  return performance.now() - start;
}

/** Asserts that the server lists plants within a time limit. */
async function assertRecovers(url: string): Promise<void> {
  assert(await time(200, url) < allow(SOON));
}

/** Starts a server that lists plants. */
async function start(
  t: TestContext,
  url = database.url,
  env: Readonly<Record<string, string>> = {},
) {
  const running = await startServer(t, ["--database-url", url], env);
  await time(200, running.url);
  return running;
}

/** Starts a server that connects to the database through a proxy. */
async function startBehindProxy(t: TestContext) {
  const { port } = new URL(database.url);
  const proxy = await startProxy(t, Number(port));
  const url = database.url.replace(`:${port}/`, `:${proxy.port}/`);
  return { proxy, ...await start(t, url) };
}

/** Runs a task on a separate connection. */
async function query(
  task: (sql: Client["sql"]) => PromiseLike<unknown>,
): Promise<void> {
  const { sql, destroy } = await database.connect();
  await task(sql);
  destroy();
}

/** Runs a task while no query can read a table. */
function locking(table: string, task: () => Promise<unknown>): Promise<void> {
  return query((sql) =>
    sql.begin(async (sql) => {
      await sql.unsafe(
        `lock table plant_store.${table} in access exclusive mode`,
      );
      await task();
    })
  );
}

test("a server that starts without its database recovers when it is available", async (t) => {
  await server.stop();
  const running = await startServer(t, ["--database-url", database.url]);
  const { url } = running;
  assertEquals((await fetch(`${url}readyz`)).status, 503);
  assertEquals((await fetch(`${url}healthz`)).status, 200);
  assertEquals(await list(url), 503);
  await server.start();
  await assertRecovers(url);
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

test("connections stay open regardless of PGMAX_LIFETIME", async (t) => {
  const { url } = await start(t, database.url, { PGMAX_LIFETIME: "1" });
  await query((sql) =>
    until(async () => {
      assertEquals(await listAtOnce(url, 16), [200]);
      const { length } = await sql`
        select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
        and now() - backend_start > interval '2 seconds'`;
      return length > 0;
    })
  );
});

test("lists return 503 while connections hang, and recover", async (t) => {
  const { url, proxy } = await startBehindProxy(t);
  proxy.block();
  for (let round = 0; round < 3; round++) {
    assertEquals(await listAtOnce(url, 16), [503]);
  }
  proxy.unblock();
  await assertRecovers(url);
});

test("lists return 503 while the pool is exhausted, and recover", async (t) => {
  const { url } = await start(t);
  await locking("plants", async () => {
    assertEquals(await listAtOnce(url, 60), [503]);
  });
  await assertRecovers(url);
});

test("the time limit includes the query for the token and the query for the list", async (t) => {
  const { url } = await startServer(t, ["--database-url", database.url]);
  await locking("plants", async () => {
    let response: Promise<number>;
    await locking("tokens", () => {
      response = list(url);
      return setTimeout(1_000);
    });
    assertEquals(await response!, 503);
  });
});

test("an empty database is reported once", async (t) => {
  const empty = await createDatabase(server.url);
  t.after(() => empty.remove());
  const running = await startServer(t, ["--database-url", empty.url]);
  assertEquals(await list(running.url), 503);
  const { sql, destroy } = await empty.connect();
  t.after(destroy);
  const heartbeats = new Set<string>();
  await until(async () => {
    const [row] = await sql<[{ time: string }]>`
      select max(query_start)::text as time from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    return heartbeats.add(row.time).size > 2;
  });
  assertEquals(await list(running.url), 503);
  running.kill("SIGTERM");
  const { stderr } = await running.ended;
  assertMatch(
    stderr,
    /^\S+ database unavailable: the database is empty; run .*\n$/,
  );
});

test("SIGTERM under load completes in-flight requests", async (t) => {
  const running = await start(t);
  let responses = 0;
  const clients = Array.from({ length: 16 }, async () => {
    for (;;) {
      const response = await fetch(`${running.url}plants`, {
        headers: { authorization: "Bearer token" },
      }).catch(() => undefined); // the server no longer accepts connections
      if (response === undefined) return;
      assertEquals(response.status, 200);
      assertEquals(await response.text(), BODY);
      responses++;
    }
  });
  await until(() => responses > 100);
  const begin = performance.now();
  running.kill("SIGTERM");
  const { status, stderr } = await running.ended;
  assertEquals([status, stderr], [0, ""]);
  // After 10 seconds, the server would close the remaining connections.
  assert(performance.now() - begin < 10_000);
  await Promise.all(clients);
});

/** Waits until a server has cached a token. */
async function untilCached(url: string, token: string): Promise<void> {
  let isCached = false;
  await until(async () => {
    await list(url, token);
    await locking("tokens", async () => {
      isCached = await list(url, token) === 200;
    });
    return isCached;
  });
}

/** Adds a token and returns a function that revokes it. */
async function addToken(token: string): Promise<() => Promise<void>> {
  const sha256 = digest(token);
  await query((sql) =>
    sql`
      insert into plant_store.tokens (user_id, sha256)
      select id, ${sha256} from plant_store.users`
  );
  return () =>
    query((sql) =>
      sql`delete from plant_store.tokens where sha256 = ${sha256}`
    );
}

test("a valid token is cached, and others are not", async (t) => {
  const { url } = await start(t);
  await untilCached(url, "token");
  await locking("tokens", async () => {
    assertEquals(await list(url, "other"), 503);
  });
});

test("a revocation reaches every replica within a second", async (t) => {
  const replicas = [await start(t), await start(t)];
  const revoke = await addToken("temporary");
  for (const { url } of replicas) await untilCached(url, "temporary");
  await revoke();
  const times = await Promise.all(
    replicas.map(({ url }) => time(401, url, "temporary")),
  );
  assert(Math.max(...times) < allow(1_000), `${times} ms`);
});

test("a revocation without a notification takes effect within 5 seconds", async (t) => {
  const { url, proxy } = await startBehindProxy(t);
  const revoke = await addToken("temporary");
  await untilCached(url, "temporary");
  proxy.freeze();
  await revoke();
  assert(await time(401, url, "temporary") < allow(5_000));
});

test("a revocation takes effect within a second after connections were lost", async (t) => {
  const { url } = await start(t);
  const revoke = await addToken("temporary");
  await untilCached(url, "temporary");
  await query((sql) =>
    sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
  );
  await revoke();
  assert(await time(401, url, "temporary") < allow(1_000));
});
