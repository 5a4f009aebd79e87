import { after, test, type TestContext } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { digest } from "../../contract/stores.ts";
import { startServer } from "../../support/command.ts";
import { watchLateness } from "../../support/lateness.ts";
import { findPort } from "../../support/port.ts";
import { list } from "../../support/send.ts";
import { until } from "../../support/until.ts";
import { NO_RATE_LIMIT, startNginx } from "../deploy/nginx.ts";
import { fill, query, startDatabaseServer } from "../postgres/server.ts";
import { type Content, createContent, type Load, startLoad } from "./load.ts";

// Two replicas behind nginx with the shipped site, which list plants from a
// standby, under load.

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

/** Runs a task under load, and asserts that every list is correct. */
async function assertNoLoss(
  t: TestContext,
  content: Content,
  task: (load: Load) => Promise<void>,
): Promise<void> {
  const load = startLoad(t, nginx, content);
  await load.next();
  await task(load);
  await load.next();
  assertEquals(await load.stop(), []);
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
