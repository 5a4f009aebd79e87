import { test, type TestContext } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailableError } from "../../mod.ts";
import type { Client } from "../../src/stores/postgres/client.ts";
import {
  createPool,
  type Pool,
  type RunOptions,
} from "../../src/stores/postgres/pool.ts";
import { createGate, type Gate } from "../support/gate.ts";

/** A pool of connections to nowhere. */
interface Used {
  readonly pool: Pool;
  readonly clients: Client[];
  readonly gates: Gate[];
}

function create(
  t: TestContext,
  max: number,
  setUp: () => Promise<void> = () => Promise.resolve(),
): Used {
  const clients: Client[] = [];
  const gates: Gate[] = [];
  t.after(() => gates.forEach(({ open }) => open()));
  const pool = createPool({
    max,
    onEnd() {},
    connect() {
      const client = {
        sql: { unsafe: () => ({ execute: setUp }) },
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

/** A task that is done when its gate is opened. */
interface Task extends Gate {
  /** The number of the connection it is on, from 1 on, or 0 before it starts. */
  readonly line: number;
  readonly result: Promise<unknown>;
}

function start(
  { pool, clients, gates }: Used,
  options?: RunOptions & { readonly patience?: number },
): Task {
  const gate = createGate();
  gates.push(gate);
  let line = 0;
  const deadline = performance.now() + (options?.patience ?? 10_000);
  const result = pool.run(deadline, (sql) => {
    line = clients.findIndex((client) => client.sql === sql) + 1;
    return gate.opened;
  }, options);
  result.catch(() => {});
  return {
    ...gate,
    result,
    get line() {
      return line;
    },
  };
}

/** Lets start what can. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test("createPool: short tasks share connections once there are as many as may be", async (t) => {
  const used = create(t, 2);
  const tasks = Array.from({ length: 17 }, () => start(used));
  await settle();
  assertEquals(
    tasks.map(({ line }) => line),
    [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 0],
  );
  tasks[3]!.open();
  await tasks[3]!.result;
  await settle();
  assertEquals(tasks[16]!.line, 2);
});

test("createPool: a long task has its connection to itself, and its turn", async (t) => {
  const used = create(t, 2);
  const long = start(used, { isLong: true });
  const short = [start(used), start(used)];
  const next = start(used, { isLong: true });
  const last = start(used);
  await settle();
  const lines = () => [long, ...short, next, last].map(({ line }) => line);
  assertEquals(lines(), [1, 2, 2, 0, 0]);
  short[0]!.open();
  await settle();
  assertEquals(lines(), [1, 2, 2, 0, 0]);
  short[1]!.open();
  await short[1]!.result;
  await settle();
  assertEquals(lines(), [1, 2, 2, 2, 0]);
  long.open();
  await long.result;
  await settle();
  assertEquals(lines(), [1, 2, 2, 2, 1]);
});

test("createPool: who gives up waiting makes room for who waits behind", async (t) => {
  const used = create(t, 1);
  const first = start(used);
  const long = start(used, { isLong: true, patience: 20 });
  const last = start(used);
  await assertRejects(() => long.result, StoreUnavailableError);
  await settle();
  assertEquals([first.line, long.line, last.line], [1, 0, 1]);
});

test("createPool: a connection that was late is not used again", async (t) => {
  const used = create(t, 1);
  const late = start(used, { patience: 20 });
  await assertRejects(() => late.result, StoreUnavailableError);
  const next = start(used);
  await settle();
  assertEquals([late.line, next.line], [1, 2]);
});

test("createPool: who is late takes nothing from those on its connection", async (t) => {
  const used = create(t, 1);
  const others = [start(used), start(used)];
  const late = start(used, { patience: 20 });
  await assertRejects(() => late.result, StoreUnavailableError);
  const next = start(used);
  await settle();
  assertEquals([late.line, next.line], [1, 0]);
  for (const other of others) {
    assertEquals(used.clients[0]!.isClosed, false);
    other.open();
    await other.result;
  }
  await settle();
  assertEquals(used.clients[0]!.isClosed, true);
  assertEquals(next.line, 2);
});

test("createPool: a connection that can't be set up is not used again", async (t) => {
  let tries = 0;
  const used = create(t, 1, () => {
    const refusal = { name: "PostgresError", severity: "ERROR" };
    return ++tries === 1 ? Promise.reject(refusal) : Promise.resolve();
  });
  await assertRejects(() => start(used).result, StoreUnavailableError);
  const next = start(used);
  await settle();
  assertEquals(next.line, 2);
});
