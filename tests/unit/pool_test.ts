import { test, type TestContext } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailableError } from "../../mod.ts";
import type { Client } from "../../src/stores/postgres/client.ts";
import { createPool, type Pool } from "../../src/stores/postgres/pool.ts";
import { createGate, type Gate } from "../support/gate.ts";

/** A pool of fake connections. */
interface Setting {
  readonly pool: Pool;
  readonly clients: Client[];
  readonly gates: Gate[];
}

/** Creates a pool of up to two connections. */
function create(
  t: TestContext,
  setUp: () => Promise<void> = () => Promise.resolve(),
): Setting {
  const clients: Client[] = [];
  const gates: Gate[] = [];
  t.after(() => gates.forEach(({ open }) => open()));
  const pool = createPool({
    max: 2,
    connect() {
      const client = {
        sql: { unsafe: setUp },
        isClosed: false,
        destroy() {
          client.isClosed = true;
        },
      };
      clients.push(client as unknown as Client);
      return clients.at(-1)!;
    },
  });
  return { pool, clients, gates };
}

/** A task that finishes when its gate opens. */
interface Task extends Gate {
  /** The number of its connection, starting at 1; 0 before the task starts. */
  readonly connection: number;
  readonly result: Promise<unknown>;
}

function start(
  { pool, clients, gates }: Setting,
  deadline = performance.now() + 60_000,
): Task {
  const gate = createGate();
  gates.push(gate);
  let connection = 0;
  const result = pool.run(deadline, (sql) => {
    connection = clients.findIndex((client) => client.sql === sql) + 1;
    return gate.opened;
  });
  result.catch(() => {});
  return {
    ...gate,
    result,
    get connection() {
      return connection;
    },
  };
}

/** Runs a task that fails. */
function fail({ pool }: Setting, reason: unknown): Promise<unknown> {
  const deadline = performance.now() + 60_000;
  return pool.run(deadline, () => Promise.reject(reason));
}

/** Lets tasks start. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

async function finish(task: Task): Promise<void> {
  task.open();
  await task.result;
}

test("createPool() opens connections up to the maximum, then shares them", async (t) => {
  const setting = create(t);
  const first = start(setting);
  await settle();
  await finish(first);
  const tasks = Array.from({ length: 6 }, () => start(setting));
  await settle();
  const connections = () => tasks.map(({ connection }) => connection);
  assertEquals(connections(), [1, 2, 1, 2, 1, 2]);
  await finish(tasks[1]!);
  await finish(tasks[3]!);
  tasks.push(start(setting), start(setting), start(setting));
  await settle();
  assertEquals(connections().slice(6), [2, 2, 1]);
});

test("createPool() does not reuse a connection after a timeout", async (t) => {
  const setting = create(t);
  const late = start(setting, performance.now() + 20);
  await assertRejects(() => late.result, StoreUnavailableError);
  assertEquals(setting.clients[0]!.isClosed, true);
  const next = start(setting);
  await settle();
  assertEquals([late.connection, next.connection], [1, 2]);
});

test("createPool() lets other tasks on a failed connection finish", async (t) => {
  const setting = create(t);
  const tasks = Array.from({ length: 4 }, () => start(setting));
  const failed = fail(setting, new Error("reset"));
  await assertRejects(() => failed, StoreUnavailableError);
  const next = start(setting);
  await settle();
  assertEquals(next.connection, 3);
  await finish(tasks[0]!);
  assertEquals(setting.clients[0]!.isClosed, false);
  await finish(tasks[2]!);
  const states = setting.clients.map(({ isClosed }) => isClosed);
  assertEquals(states, [true, false, false]);
});

test("createPool() keeps a connection if the database rejects a statement", async (t) => {
  const setting = create(t);
  const rejection = { name: "PostgresError", severity: "ERROR" };
  const failed = fail(setting, rejection);
  await assertRejects(() => failed, StoreUnavailableError);
  const next = start(setting);
  await settle();
  assertEquals(next.connection, 1);
});

test("createPool() does not reuse a connection whose setup failed or that was closed", async (t) => {
  let attempts = 0;
  const setting = create(t, () => {
    const rejection = { name: "PostgresError", severity: "ERROR" };
    return ++attempts === 1 ? Promise.reject(rejection) : Promise.resolve();
  });
  await assertRejects(() => start(setting).result, StoreUnavailableError);
  const second = start(setting);
  await settle();
  await finish(second);
  setting.clients[1]!.destroy();
  const third = start(setting);
  await settle();
  assertEquals([second.connection, third.connection], [2, 3]);
});

test("createPool() waits for tasks before it closes", async (t) => {
  const setting = create(t);
  const tasks = [start(setting), start(setting)];
  await settle();
  // The first connection is no longer used for new tasks.
  await assertRejects(
    () => fail(setting, new Error("reset")),
    StoreUnavailableError,
  );
  let isClosed = false;
  const closed = setting.pool.close().then(() => isClosed = true);
  await assertRejects(() => start(setting).result, StoreUnavailableError);
  const states = () => setting.clients.map(({ isClosed }) => isClosed);
  for (const task of [...tasks].reverse()) {
    await settle();
    assertEquals([isClosed, ...states()], [false, false, false]);
    await finish(task);
  }
  await closed;
  assertEquals(states(), [true, true]);
});
