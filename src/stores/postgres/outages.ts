import { notify } from "../../core/internal/notify.ts";
import { explainDatabaseError, type Pool } from "./pg_client.ts";

/** Reports that the queries of a pool work, or why they fail. */
export type ReportStatus = (pool: Pool, error?: unknown) => void;

/**
 * Creates a function that calls `onStatus` once with each cause of an outage, and without
 * arguments when the queries of all pools work again.
 */
export function createReportStatus(
  onStatus: (outage?: Error) => void,
): ReportStatus {
  /** The messages reported since the database was available; two timeouts can alternate. */
  const outages = new Set<string>();
  const failing = new Set<Pool>();
  return (pool, error) => {
    let outage: Error | undefined;
    if (error === undefined) {
      failing.delete(pool);
      if (failing.size > 0 || outages.size === 0) return;
      outages.clear();
    } else {
      failing.add(pool);
      outage = explainDatabaseError(error);
      if (outages.has(outage.message)) return;
      outages.add(outage.message);
    }
    notify(onStatus, outage, console.error);
  };
}
