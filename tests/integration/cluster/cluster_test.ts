import { Agent } from "node:http";
import { after, test, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals } from "@std/assert";
import { digest } from "../../contract/stores.ts";
import { startServer } from "../../support/command.ts";
import { watchLateness } from "../../support/lateness.ts";
import { findPort } from "../../support/port.ts";
import { list } from "../../support/send.ts";
import { until } from "../../support/until.ts";
import { NO_RATE_LIMIT, startNginx } from "../deploy/nginx.ts";
import { fill, query, startDatabaseServer } from "../postgres/server.ts";

// Two replicas behind nginx with the shipped site, which list plants from a
// standby, under load.

/** The limits of the requests, sent in turn. */
const LIMITS = [20, 500];

/** Plants, and the lists of the florist, whose token is `florist`. */
type Content = ReturnType<typeof createContent>;

/** Creates plants whose names contain `name`. */
function createContent(name: string, tags: readonly string[]) {
  const plants = Array.from(
    { length: 2_000 },
    (_, index) => ({ name: `${name} ${index}`, tag: `tag ${index % 10}` }),
  );
  const names = [`${name} 7`];
  const visible = plants.filter(({ name, tag }) =>
    names.includes(name) || tags.includes(tag)
  );
  const lists = LIMITS.map((limit) => JSON.stringify(visible.slice(0, limit)));
  return { plants, access: { tags, names }, lists };
}

const OLD = createContent("old", ["tag 1", "tag 2"]);
const NEW = createContent("new", ["tag 2", "tag 3"]);

const allow = watchLateness();

const primary = await startDatabaseServer({ after }, { isDebian: true });
const standby = await startDatabaseServer({ after }, {
  isDebian: true,
  primary,
});
await replace(OLD);

const ports = [await findPort(), await findPort()] as const;
const replicas = await Promise.all(ports.map(startReplica));
const nginx = await startNginx({ after }, ports, NO_RATE_LIMIT);
await untilListed(OLD);

/** Replaces all plants and users. */
function replace({ plants, access }: Content): Promise<void> {
  const tokens = [{ sha256: digest("florist") }];
  return fill(primary.url, plants, { florist: { plants: access, tokens } });
}

function startReplica(port: number) {
  return startServer({ after }, [
    ...["--port", `${port}`],
    ...["--database-url", primary.url, "--database-read-url", standby.url],
  ]);
}

/** Waits until every replica returns a list of this content. */
async function untilListed({ lists: [expected] }: Content): Promise<void> {
  await Promise.all(replicas.map(({ url }) =>
    until(async () => {
      const response = await list(url, "florist", "?limit=20");
      return await response.text() === expected;
    })
  ));
}

/** The number of concurrent clients, and their pause in milliseconds. */
const CLIENTS = 8, PAUSE = 2;

/** Clients that send requests. */
interface Load {
  /** Waits for 200 more responses. */
  next(): Promise<void>;
  /** Sets the contents whose lists are correct from now on. */
  expect(...contents: readonly Content[]): void;
}

/** Runs a task under load, and asserts that every response is a correct list. */
async function assertNoLoss(
  t: TestContext,
  content: Content,
  task: (load: Load) => Promise<void>,
): Promise<void> {
  const mistakes: string[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  let correct: readonly Content[] = [content];
  let isRunning = true;
  t.after(() => isRunning = false);
  let sent = 0, received = 0;

  async function sendNext(): Promise<void> {
    const index = sent++ % LIMITS.length;
    const before = correct;
    const response = await nginx.send(`/plants?limit=${LIMITS[index]}`, {
      headers: { authorization: "Bearer florist" },
      agent,
    });
    const body = await response.text();
    // Lists that were correct when the request was sent are accepted, too.
    const isCorrect = response.status === 200 &&
      [...before, ...correct].some(({ lists }) => lists[index] === body);
    if (!isCorrect) mistakes.push(`${response.status} ${index}: ${body}`);
  }
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (isRunning) {
      await sendNext().catch(({ message }) => mistakes.push(message));
      received++;
      await setTimeout(PAUSE);
    }
  });
  function next(): Promise<void> {
    const total = received + 200;
    return until(() => received >= total);
  }

  await next();
  await task({ next, expect: (...contents) => correct = contents });
  await next();
  isRunning = false;
  await Promise.all(clients);
  agent.destroy();
  assertEquals(mistakes, []);
}

test("lists come from the standby", async (t) => {
  const count = async () => {
    const [row] = await query(
      standby.url,
      `select idx_scan as reads from pg_stat_user_tables
      where relname = 'plants'`,
    );
    return Number(row!["reads"]);
  };
  await assertNoLoss(t, OLD, async () => {
    const before = await count();
    await until(async () => await count() > before + 100);
  });
});

test("an import reaches every replica within a second, and no list mixes imports", async (t) => {
  await assertNoLoss(t, OLD, async (load) => {
    load.expect(OLD, NEW);
    for (let round = 0; round < 3; round++) {
      await replace(NEW);
      await replace(OLD);
    }
    await replace(NEW);
    const start = performance.now();
    await untilListed(NEW);
    const took = performance.now() - start;
    assert(took < allow(1_000), `${took} ms`);
    load.expect(NEW);
  });
});

test("a standby that lags or is stopped loses no request", async (t) => {
  await assertNoLoss(t, NEW, async (load) => {
    await query(standby.url, "select pg_wal_replay_pause()");
    load.expect(NEW, OLD);
    await replace(OLD);
    await untilListed(OLD);
    load.expect(OLD);
    await load.next();
    await query(standby.url, "select pg_wal_replay_resume()");
    await load.next();
    await standby.stop();
    await load.next();
    await standby.start();
  });
});

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  test(`replicas that restart after ${signal} lose no request`, async (t) => {
    await assertNoLoss(t, OLD, async (load) => {
      for (const [index, port] of ports.entries()) {
        replicas[index]!.kill(signal);
        await replicas[index]!.ended;
        await load.next();
        replicas[index] = await startReplica(port);
        await untilListed(OLD);
      }
    });
  });
}
