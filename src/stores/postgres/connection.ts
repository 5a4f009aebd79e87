import { clearInterval, setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
// @ts-types="npm:@types/pg@^8.23.1"
import type pg from "pg";

/** The maximum time for a request, and for a query, to wait for the database. */
export const TIMEOUT_MS = 1_800;

/**
 * Without statistics of the tables, the planner would compile the query, which takes half
 * a second, or use a bitmap scan, which reads all plants with a tag.
 */
const PLANNER = "set local jit = off; set local enable_bitmapscan = off";

/** Runs a query, and returns its rows. The database cancels it if it takes too long. */
async function run<Row>(
  client: pg.ClientBase,
  text: string,
): Promise<readonly Row[]> {
  const limit = `set local statement_timeout = ${TIMEOUT_MS}`;
  const results: unknown = await within(
    TIMEOUT_MS,
    client.query(`${limit}; ${PLANNER}; ${text}`),
  );
  return (results as { readonly rows: Row[] }[]).at(-1)!.rows;
}

/** The time until a query whose connection is lost runs again: others may be lost, too. */
const RETRY_MS = 100;

/**
 * Runs a query on a connection of a pool. If the connection is lost, which may have
 * happened while it was idle, tries again once.
 */
export async function query<Row>(
  pool: pg.Pool,
  text: string,
  isRetry = false,
): Promise<readonly Row[]> {
  const client = await connect(pool);
  try {
    const rows = await run<Row>(client, text);
    client.release();
    return rows;
  } catch (error) {
    client.release(true);
    const { severity, message } = error as Error & { severity?: string };
    // "ERROR" means that only the query has failed.
    if (isRetry || severity === "ERROR" || message === TIMED_OUT) throw error;
    await sleep(RETRY_MS);
    return query(pool, text, true);
  }
}

/** Returns a connection. If opening one takes too long, a later query can use it. */
async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  const opening = pool.connect();
  try {
    return await within(TIMEOUT_MS, opening);
  } catch (error) {
    opening.then((client) => client.release(), () => {});
    throw error;
  }
}

/** The time between checks for whether a promise has taken too long. */
const CHECK_MS = 100;

const TIMED_OUT = "the database did not respond in time";

/**
 * Rejects if a promise is not settled after a time in milliseconds. The time during
 * which this process is busy does not count.
 */
export function within<T>(timeout: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let checks = 0;
    const timer = setInterval(() => {
      checks++;
      if (checks * CHECK_MS < timeout) return;
      reject(new Error(TIMED_OUT));
    }, CHECK_MS);
    promise.finally(() => clearInterval(timer)).then(resolve, reject);
  });
}
