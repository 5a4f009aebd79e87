import { test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailableError } from "../../mod.ts";
import type { Client } from "../../src/stores/postgres/client.ts";
import { createPool, type Pool } from "../../src/stores/postgres/pool.ts";
import { createGate, type Gate } from "../support/gate.ts";

/** A pool of up to two fake connections. */
interface Setting {
  readonly pool: Pool;
  readonly clients: Client[];
}

function create(): Setting {
  const clients: Client[] = [];
  const pool = createPool({
    max: 2,
    connect() {
      const client = {
        sql: { unsafe: () => Promise.resolve() },
        isClosed: false,
        destroy() {
          client.isClosed = true;
        },
      };
      clients.push(client as unknown as Client);
      return clients.at(-1)!;
    },
  });
  return { pool, clients };
}

/** A task that finishes when its gate opens. */
interface Task extends Gate {
  /** The number of its connection, starting at 1; 0 before the task starts. */
  readonly connection: number;
  readonly result: Promise<unknown>;
}

/** Starts a task. Resolves when all tasks that can start have started. */
async function start({ pool, clients }: Setting, time = 60_000): Promise<Task> {
  const gate = createGate();
  let connection = 0;
  const result = pool.run(performance.now() + time, (sql) => {
    connection = clients.findIndex((client) => client.sql === sql) + 1;
    return gate.opened;
  });
  result.catch(() => {});
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  return { ...gate, result, connection };
}

/** Runs a task that fails. */
async function fail({ pool }: Setting, reason: unknown): Promise<void> {
  const deadline = performance.now() + 60_000;
  const run = () => pool.run(deadline, () => Promise.reject(reason));
  await assertRejects(run, StoreUnavailableError);
}

async function finish(task: Task): Promise<void> {
  task.open();
  await task.result;
}

test("createPool() opens connections up to the maximum, then shares them", async () => {
  const setting = create();
  await finish(await start(setting));
  const tasks: Task[] = [];
  for (let count = 0; count < 6; count++) tasks.push(await start(setting));
  const connections = () => tasks.map(({ connection }) => connection);
  assertEquals(connections(), [1, 2, 1, 2, 1, 2]);
  await finish(tasks[1]!);
  await finish(tasks[3]!);
  for (let count = 0; count < 3; count++) tasks.push(await start(setting));
  assertEquals(connections().slice(6), [2, 2, 1]);
  tasks.forEach(({ open }) => open());
});

test("createPool() does not reuse a connection after a timeout", async () => {
  const setting = create();
  const late = await start(setting, 20);
  await assertRejects(() => late.result, StoreUnavailableError);
  assertEquals(setting.clients[0]!.isClosed, true);
  const next = await start(setting);
  assertEquals([late.connection, next.connection], [1, 2]);
  await finish(next);
});

test("createPool() lets other tasks on a failed connection finish", async () => {
  const setting = create();
  const first = await start(setting);
  const other = await start(setting);
  await fail(setting, new Error("reset")); // on the first connection
  const next = await start(setting);
  assertEquals(next.connection, 3);
  assertEquals(setting.clients[0]!.isClosed, false);
  await finish(first);
  const states = setting.clients.map(({ isClosed }) => isClosed);
  assertEquals(states, [true, false, false]);
  await finish(other);
  await finish(next);
});

test("createPool() reuses a connection unless it failed or is closed", async () => {
  const setting = create();
  const rejection = { name: "PostgresError", severity: "ERROR" };
  await fail(setting, rejection);
  const second = await start(setting);
  await finish(second);
  setting.clients[0]!.destroy();
  const third = await start(setting);
  assertEquals([second.connection, third.connection], [1, 2]);
  await finish(third);
});

test("createPool() waits for tasks before it closes", async () => {
  const setting = create();
  const tasks = [await start(setting), await start(setting)];
  let isClosed = false;
  const closed = setting.pool.close().then(() => isClosed = true);
  await assertRejects(
    async () => await (await start(setting)).result,
    StoreUnavailableError,
  );
  const states = () => setting.clients.map(({ isClosed }) => isClosed);
  for (const task of tasks) {
    assertEquals([isClosed, ...states()], [false, false, false]);
    await finish(task);
  }
  await closed;
  assertEquals(states(), [true, true]);
});
