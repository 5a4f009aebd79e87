import { StoreUnavailableError } from "../../domain/store.ts";
import type { Client, Connect, Sql } from "./client.ts";
import { CHANNEL } from "./schema.ts";

/** A pool of connections to one database. */
export interface Pool {
  /**
   * Runs a task on the connection with the fewest tasks. Tasks that share a
   * connection send statements without waiting for each other, which saves CPU
   * time on both sides.
   *
   * @param deadline When the task must be done, as a `performance.now()` timestamp.
   * @throws {StoreUnavailableError} If the task fails or misses the deadline.
   */
  run<T>(deadline: number, task: (sql: Sql) => Promise<T>): Promise<T>;
  /** Waits for running tasks, then closes all connections. */
  close(): Promise<void>;
}

/** Options for {@linkcode createPool}. */
export interface PoolOptions {
  readonly connect: Connect;
  /** The maximum number of connections that accept new tasks. */
  readonly max: number;
  /** Called after each task, with its error if it failed. */
  readonly onResult?: (error?: unknown) => void;
  /** Called after each change to the database, and when a change may have been missed. */
  readonly onChange?: () => void;
}

/**
 * The settings for each connection. They are not startup parameters, because
 * PgBouncer rejects those. The database cancels a statement shortly before its
 * request times out. The planner must use the indexes, because it does not know the
 * limit of a list in advance and might sort a whole table.
 */
export const SESSION_SETTINGS = `
  set statement_timeout = 1400;
  set plan_cache_mode = force_generic_plan;
  set enable_seqscan = off;
  set enable_bitmapscan = off;
  set jit = off;
`;

interface Connection {
  readonly client: Client;
  /** Resolves when the connection is set up. */
  readonly ready: Promise<unknown>;
  /** The number of running tasks. */
  tasks: number;
}

/** Creates a pool that opens connections as needed. */
export function createPool(
  { connect, max, onResult, onChange }: PoolOptions,
): Pool {
  const connections = new Set<Connection>();
  const running = new Set<Promise<unknown>>();
  const setUp = onChange
    ? `${SESSION_SETTINGS} listen ${CHANNEL};`
    : SESSION_SETTINGS;
  let isClosed = false;

  function open(): Connection {
    const client = connect(onChange);
    const ready = client.sql.unsafe(setUp).then(() => onChange?.());
    ready.catch(() => client.destroy()); // tasks receive the error
    const connection = { client, ready, tasks: 0 };
    connections.add(connection);
    return connection;
  }

  function findConnection(): Connection {
    let found: Connection | undefined;
    for (const each of connections) {
      if (each.client.isClosed) connections.delete(each);
      else if (!found || each.tasks < found.tasks) found = each;
    }
    const isEnough = found?.tasks === 0 || connections.size >= max;
    return found && isEnough ? found : open();
  }

  return {
    async run(deadline, task) {
      if (isClosed) throw new StoreUnavailableError("The store is closed");
      const connection = findConnection();
      const { client, ready } = connection;
      const result = withDeadline(deadline, ready.then(() => task(client.sql)));
      connection.tasks++;
      running.add(result);
      let value;
      try {
        value = await result;
      } catch (cause) {
        // The connection may hang or be out of sync. Its other tasks can finish.
        if (!isRejection(cause)) connections.delete(connection);
        onResult?.(cause);
        throw new StoreUnavailableError("The database is unavailable", {
          cause,
        });
      } finally {
        connection.tasks--;
        running.delete(result);
        const isRetired = !connections.has(connection);
        if (isRetired && connection.tasks === 0) client.destroy();
      }
      onResult?.();
      return value;
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(running);
      for (const { client } of connections) client.destroy();
    },
  };
}

/** Whether the database rejected a statement, which means that the connection still works. */
function isRejection(error: unknown): boolean {
  const { name, severity } = error as { name?: string; severity?: string };
  return name === "PostgresError" && severity === "ERROR";
}

/** Rejects if `promise` is not settled by the deadline. */
async function withDeadline<T>(
  deadline: number,
  promise: Promise<T>,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = () => new Error("the database did not respond in time");
    timer = setTimeout(() => reject(error()), deadline - performance.now());
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
