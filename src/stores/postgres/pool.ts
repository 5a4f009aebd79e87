import { StoreUnavailableError } from "../../domain/store.ts";
import type { Client, Connect } from "./client.ts";
import type { Sql } from "./schema.ts";

/** Connections that are used again. */
export interface Pool {
  /**
   * Runs `task` on a connection that nobody else uses meanwhile.
   *
   * @param deadline When it has to be done at the latest, as `performance.now()` counts.
   * @throws {StoreUnavailableError} When it fails, or is not done in time.
   */
  run<T>(deadline: number, task: (sql: Sql) => Promise<T>): Promise<T>;
  /** Waits for what runs until `deadline`, then ends all connections. */
  close(deadline: number): Promise<void>;
}

/** What a {@linkcode Pool} is made of. */
export interface PoolOptions {
  readonly connect: Connect;
  /** The most connections at once. */
  readonly max: number;
  /** Is told how every task ended: what it failed of, undefined when it did not. */
  readonly onEnd: (error?: unknown) => void;
}

/**
 * How a connection is set up. The statements are written for the indexes: given
 * a limit that it does not know yet, the planner could sort a whole table. The
 * database ends by itself, in milliseconds, what nobody waits for any more.
 */
export const SET_UP = `
  set statement_timeout = 1400;
  set plan_cache_mode = force_generic_plan;
  set enable_seqscan = off;
  set enable_bitmapscan = off;
  set jit = off;
`;

/** Creates a pool; connections are made when they are needed. */
export function createPool({ connect, max, onEnd }: PoolOptions): Pool {
  const idle: Client[] = [];
  const waiting: ((client: Client) => void)[] = [];
  const used = new Set<Client>();
  let closing = false;
  let ended = () => {};

  /** A connection that is free, or a new one while there may be more. */
  function take(): Client | undefined {
    let client = idle.pop();
    while (client?.isClosed) client = idle.pop();
    if (!client && used.size < max) client = connect();
    if (client) used.add(client);
    return client;
  }

  /** Takes a connection back, and hands it or its place on to who waits first. */
  function give(client: Client): void {
    used.delete(client);
    if (!client.isClosed) idle.push(client);
    if (waiting.length > 0) waiting.shift()!(take()!);
    else if (closing && used.size === 0) ended();
  }

  /** Waits until a connection is free. */
  function wait({ passed }: Timer): Promise<Client> {
    let turn = (_: Client) => {};
    const free = new Promise<Client>((resolve) => waiting.push(turn = resolve));
    return Promise.race([free, passed]).catch((error) => {
      const at = waiting.indexOf(turn);
      if (at === -1) free.then(give);
      else waiting.splice(at, 1);
      throw error;
    });
  }

  async function work<T>(
    client: Client,
    task: (sql: Sql) => Promise<T>,
  ): Promise<T> {
    if (!ready.has(client)) {
      await client.sql.unsafe(SET_UP);
      ready.add(client);
    }
    return await task(client.sql);
  }
  const ready = new WeakSet<Client>();

  return {
    async run(deadline, task) {
      if (closing) throw new StoreUnavailableError("The store is closed");
      const late = createTimer(deadline);
      let client: Client | undefined;
      let result;
      try {
        client = take() ?? await wait(late);
        result = await Promise.race([work(client, task), late.passed]);
      } catch (error) {
        // What state it is in is not known, but for what the database refused.
        if (!isRefusal(error)) client?.destroy();
        onEnd(error);
        throw new StoreUnavailableError("The database is away", {
          cause: error,
        });
      } finally {
        late.clear();
        if (client) give(client);
      }
      onEnd();
      return result;
    },
    async close(deadline) {
      closing = true;
      if (used.size > 0) {
        const late = createTimer(deadline);
        const done = new Promise<void>((resolve) => ended = resolve);
        await Promise.race([done, late.passed]).catch(() => {});
        late.clear();
      }
      for (const client of [...used, ...idle]) client.destroy();
    },
  };
}

/** Whether the database has answered, and the connection can be used on. */
function isRefusal(error: unknown): boolean {
  const { name, severity } = error as { name?: string; severity?: string };
  return name === "PostgresError" && severity === "ERROR";
}

interface Timer {
  /** Is rejected when the time is up. */
  readonly passed: Promise<never>;
  clear(): void;
}

function createTimer(deadline: number): Timer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error("the database did not answer in time")),
      Math.max(0, deadline - performance.now()),
    );
  });
  passed.catch(() => {});
  return { passed, clear: () => clearTimeout(timer) };
}
