import { after, before, test, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import type { Plant } from "../../../mod.ts";
import type { Sql } from "../../../src/stores/postgres/client.ts";
import { type Running, startServer } from "../../support/command.ts";
import { digest } from "../../contract/stores.ts";
import { watchLateness } from "../../support/lateness.ts";
import { until } from "../../support/until.ts";
import { createDatabase, type Database } from "./database.ts";
import { createProxy, type Proxy } from "./proxy.ts";
import { type DatabaseServer, startDatabaseServer } from "./server.ts";

// Each fault befalls a real database behind a real server.

const PLANTS: readonly Plant[] = Array.from(
  { length: 500 },
  (_, at) => ({ name: `Plant ${at}`, tag: at % 2 === 0 ? "even" : "odd" }),
);
const BODY = JSON.stringify(PLANTS);

/** How long an answer may take at the most, and a recovery. */
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

interface Outcome {
  readonly status: number;
  readonly took: number;
  readonly at: number;
}

/** Asks for all plants: they come whole, or what keeps them away comes soon. */
async function ask(url: string, token = "token"): Promise<Outcome> {
  const start = performance.now();
  const response = await fetch(`${url}plants`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const body = await response.text();
  const at = performance.now();
  const took = at - start;
  if (response.status === 200) assertEquals(body, BODY);
  if (response.status === 503) {
    assertEquals(response.headers.get("retry-after"), "1");
    assertMatch(body, /^\{"error":503,/);
  }
  return { status: response.status, took, at };
}

/** Asks again and again, several at a time. */
function load(
  url: string,
): { readonly outcomes: Outcome[]; stop(): Promise<Outcome[]> } {
  const outcomes: Outcome[] = [];
  let isOver = false;
  const workers = Array.from({ length: 16 }, async () => {
    while (!isOver) {
      outcomes.push(await ask(url));
      await setTimeout(5);
    }
  });
  return {
    outcomes,
    async stop() {
      isOver = true;
      await Promise.all(workers);
      return outcomes;
    },
  };
}

/** Waits until the plants come, and gives how long that took. */
async function untilListed(url: string): Promise<number> {
  const start = performance.now();
  await until(async () => (await ask(url)).status === 200);
  return performance.now() - start;
}

function judge(outcomes: readonly Outcome[]): void {
  for (const { status, took } of outcomes) {
    assert(status === 200 || status === 503, `${status}`);
    assert(took < allow(SOON), `${status} took ${took} ms`);
  }
}

async function startBehind(
  t: TestContext,
): Promise<{ server: Running & { readonly url: string }; proxy: Proxy }> {
  const { port } = new URL(database.url);
  const proxy = await createProxy(Number(port));
  t.after(() => proxy.close());
  const running = await startServer(t, [], {
    DATABASE_URL: database.url.replace(`:${port}/`, `:${proxy.port}/`),
  });
  return { server: running, proxy };
}

test("a database that is absent at the start is found when it comes", async (t) => {
  await server.stop();
  const running = await startServer(t, ["--database-url", database.url]);
  const ready = await fetch(`${running.url}readyz`);
  assertEquals(ready.status, 503);
  assertEquals((await fetch(`${running.url}healthz`)).status, 200);
  const outcome = await ask(running.url);
  judge([outcome]);
  assertEquals(outcome.status, 503);
  await server.start();
  assert(await untilListed(running.url) < allow(SOON));
  assertEquals((await fetch(`${running.url}readyz`)).status, 200);
  running.kill("SIGTERM");
  const { status, stderr } = await running.ended;
  assertEquals(status, 0);
  assertMatch(
    stderr,
    /^\S+ database unavailable: .*\n\S+ database available again\n$/,
  );
  assertNotMatch(stderr, /s3cret/);
});

test("a database that stops and comes back under load", async (t) => {
  const running = await startServer(t, ["--database-url", database.url]);
  await untilListed(running.url);
  const { outcomes, stop } = load(running.url);
  await until(() => outcomes.length > 100);
  await server.stop();
  await until(() => outcomes.some(({ status }) => status === 503));
  assertEquals((await fetch(`${running.url}readyz`)).status, 503);
  await server.start();
  const well = performance.now() + allow(SOON);
  const late = () => outcomes.filter(({ at }) => at > well);
  await until(() => late().length > 100);
  judge(await stop());
  assertEquals(late().filter(({ status }) => status !== 200), []);
});

test("connections that have become old are used on", async (t) => {
  const running = await startServer(t, ["--database-url", database.url], {
    PGMAX_LIFETIME: "1",
  });
  await untilListed(running.url);
  const { stop } = load(running.url);
  await setTimeout(2_500);
  const outcomes = await stop();
  assertEquals(outcomes.filter(({ status }) => status !== 200), []);
});

test("connections that hang", async (t) => {
  const { server: running, proxy } = await startBehind(t);
  await untilListed(running.url);
  proxy.block();
  for (let round = 0; round < 3; round++) {
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, () => ask(running.url)),
    );
    judge(outcomes);
    assertEquals(outcomes.filter(({ status }) => status !== 503), []);
  }
  proxy.unblock();
  assert(await untilListed(running.url) < allow(SOON));
});

test("a pool that is exhausted", async (t) => {
  const running = await startServer(t, ["--database-url", database.url]);
  await untilListed(running.url);
  const client = await database.connect();
  t.after(() => client.destroy());
  await client.sql.begin(async (sql) => {
    await sql`lock table plant_store.plants in access exclusive mode`;
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, () => ask(running.url)),
    );
    judge(outcomes);
    assertEquals(outcomes.filter(({ status }) => status !== 503), []);
  });
  assert(await untilListed(running.url) < allow(SOON));
});

test("a database that is slow for the token and for the list", async (t) => {
  const running = await startServer(t, ["--database-url", database.url]);
  const [tokens, plants] = [await database.connect(), await database.connect()];
  t.after(() => [tokens, plants].forEach(({ destroy }) => destroy()));
  await plants.sql.begin(async (sql) => {
    await sql`lock table plant_store.plants in access exclusive mode`;
    let outcome: Promise<Outcome>;
    await tokens.sql.begin(async (sql) => {
      await sql`lock table plant_store.tokens in access exclusive mode`;
      outcome = ask(running.url);
      await setTimeout(1_000);
    });
    judge([await outcome!]);
  });
});

test("an empty database is reported once", async (t) => {
  const empty = await createDatabase(server.url);
  t.after(() => empty.remove());
  const running = await startServer(t, ["--database-url", empty.url]);
  assertEquals((await ask(running.url)).status, 503);
  const { sql, destroy } = await empty.connect();
  t.after(destroy);
  const heartbeats = new Set<string>();
  await until(async () => {
    const [row] = await sql<[{ time: string }]>`
      select max(query_start)::text as time from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    return heartbeats.add(row.time).size > 2;
  });
  assertEquals((await ask(running.url)).status, 503);
  running.kill("SIGTERM");
  const { stderr } = await running.ended;
  assertMatch(
    stderr,
    /^\S+ database unavailable: the database is empty; run .*\n$/,
  );
});

test("SIGTERM under load: what is under way is answered", async (t) => {
  const running = await startServer(t, ["--database-url", database.url]);
  await untilListed(running.url);
  const outcomes: number[] = [];
  let refused = 0;
  const workers = Array.from({ length: 16 }, async () => {
    for (;;) {
      let response: Response;
      try {
        response = await fetch(`${running.url}plants`, {
          headers: { authorization: "Bearer token" },
        });
      } catch {
        refused++; // it listens no more
        return;
      }
      assertEquals(await response.text(), BODY);
      outcomes.push(response.status);
    }
  });
  await until(() => outcomes.length > 100);
  const start = performance.now();
  running.kill("SIGTERM");
  const { status, stderr } = await running.ended;
  assertEquals([status, stderr], [0, ""]);
  assert(performance.now() - start < 10_000); // when all would be cut
  await Promise.all(workers);
  assertEquals(outcomes.filter((status) => status !== 200), []);
  assertEquals(refused, 16);
});

/** Waits until a token is refused, and gives how long that took. */
async function untilRefused(url: string, token: string): Promise<number> {
  const start = performance.now();
  await until(async () => (await ask(url, token)).status === 401);
  return performance.now() - start;
}

/** Waits until a token is remembered, so that it needs no database. */
async function untilRemembered(url: string, token: string): Promise<void> {
  const client = await database.connect();
  await until(async () => {
    await ask(url, token);
    return await client.sql.begin(async (sql) => {
      await sql`lock table plant_store.tokens in access exclusive mode`;
      return (await ask(url, token)).status === 200;
    });
  });
  client.destroy();
}

/** Gives a user a token, and returns a function that revokes it. */
async function lend(token: string): Promise<() => Promise<void>> {
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

/** Runs a statement on a connection of its own. */
async function query(run: (sql: Sql) => PromiseLike<unknown>): Promise<void> {
  const { sql, destroy } = await database.connect();
  await run(sql);
  destroy();
}

test("a token that was judged is remembered", async (t) => {
  const running = await startServer(t, ["--database-url", database.url]);
  await untilRemembered(running.url, "token");
  const client = await database.connect();
  t.after(() => client.destroy());
  await client.sql.begin(async (sql) => {
    await sql`lock table plant_store.tokens in access exclusive mode`;
    assertEquals((await ask(running.url, "other")).status, 503);
  });
});

test("a revocation reaches every replica within a second", async (t) => {
  const replicas = await Promise.all(
    [1, 2].map(() => startServer(t, ["--database-url", database.url])),
  );
  const revoke = await lend("lent");
  for (const { url } of replicas) {
    await untilListed(url);
    for (let time = 0; time < 20; time++) {
      assertEquals((await ask(url, "lent")).status, 200);
    }
  }
  await revoke();
  for (
    const took of await Promise.all(
      replicas.map(({ url }) => untilRefused(url, "lent")),
    )
  ) assert(took < allow(1_000), `${took} ms`);
});

test("a revocation that can't be told is known within five seconds", async (t) => {
  const { server: running, proxy } = await startBehind(t);
  const revoke = await lend("lent");
  await untilRemembered(running.url, "lent");
  proxy.freeze();
  await revoke();
  assert(await untilRefused(running.url, "lent") < allow(5_000));
});

test("a revocation while the connections are down", async (t) => {
  const running = await startServer(t, ["--database-url", database.url]);
  const revoke = await lend("lent");
  await untilRemembered(running.url, "lent");
  await query((sql) =>
    sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
  );
  await revoke();
  assert(await untilRefused(running.url, "lent") < allow(1_000));
});
