import { clearTimeout, setTimeout } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
// @ts-types="npm:@types/pg@^8.23.1"
import type pg from "pg";
import { notify } from "../../core/internal/notify.ts";
import { explainDatabaseError, NO_IMPORT } from "./pg_client.ts";

/** The maximum time for a request to wait for the database. */
const TIMEOUT_MS = 1_800;

/** How long a process that was busy has for reading a result that has arrived. */
const GRACE_MS = 100;

/** The time until a query whose connection is lost runs again: others may be lost, too. */
const RETRY_MS = 100;

/**
 * Runs a query, and returns its rows. Tries again once, unless the database reports that
 * the query has failed: the connection may have been lost while it was idle.
 */
export async function query<Row>(
  pool: pg.Pool,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const run = () => pool.query(text, [...values]);
  const { rows } = await run().catch(async (error) => {
    if (error.severity === "ERROR") throw error; // only the query has failed
    await sleep(RETRY_MS);
    return run();
  });
  if (rows.length === 0) throw new Error(NO_IMPORT);
  return rows;
}

/** The properties of errors, of which `code` is an SQLSTATE if the database reports one. */
type DatabaseError = Error & { readonly code?: string };

/** Whether data makes a query fail, so that queries for other users can succeed. */
export function isDataError(error: unknown): boolean {
  return /^2[12]/.test(`${(error as DatabaseError).code}`);
}

/** The SQLSTATE of a query that took too long. */
const QUERY_CANCELED = "57014";

export function withTimeout<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      const error = new Error("the database did not respond in time");
      reject(Object.assign(error, { code: QUERY_CANCELED }));
    };
    let timer = setTimeout(() => {
      timer = setTimeout(fail, GRACE_MS);
    }, TIMEOUT_MS - GRACE_MS);
    promise.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

/** How long all requests must have succeeded until the database is available again. */
const QUIET_MS = 5_000;

/**
 * Creates a function for the outcome of each request. It calls `onStatus` with each
 * cause of an outage once, and without arguments when the outage is over. A slow list is
 * reported if the previous one was slow, too; otherwise, others are fast.
 */
export function createReport(
  onStatus: (outage?: Error) => void,
): (error?: unknown, isList?: boolean) => void {
  const reported = new Set<string>();
  let failedAt = 0, isSlow = false;
  return (error, isList = false) => {
    const wasSlow = isSlow, now = performance.now();
    const { code } = Object(error) as DatabaseError;
    if (isList) isSlow = code === QUERY_CANCELED;
    if (error !== undefined) {
      failedAt = now;
      const outage = explainDatabaseError(error);
      if (isSlow && !wasSlow || reported.has(outage.message)) return;
      reported.add(outage.message);
      notify(onStatus, outage, console.error);
    } else if (reported.size > 0 && now - failedAt > QUIET_MS) {
      reported.clear();
      notify(onStatus, undefined, console.error);
    }
  };
}
