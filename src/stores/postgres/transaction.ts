import { clearTimeout, setTimeout } from "node:timers";
// @ts-types="npm:@types/pg@^8.23.1"
import type pg from "pg";
import { StoreUnavailableError } from "../../core/domain/store.ts";
import { connect, run } from "./connection.ts";

/** How long other lists can join, in milliseconds. */
const JOIN_MS = 180_000;

/**
 * The maximum age of a transaction, in milliseconds: 30 minutes for the last list that
 * joins. While it is open, the database cannot remove deleted rows.
 */
const MAX_AGE_MS = 1_800_000 + JOIN_MS;

/** The timeouts for a query, and between queries, in milliseconds. */
const QUERY_MS = 10_000, IDLE_MS = 120_000;

/** Begins a transaction. The empty query takes the snapshot. */
const BEGIN = `
  begin isolation level repeatable read read only;
  set local idle_in_transaction_session_timeout = ${IDLE_MS};
  select`;

/** A transaction that long lists share: they all see the database at one point in time. */
export class Transaction {
  readonly #version: string | null;
  readonly #start: number = performance.now();
  readonly #onEnd: () => void;
  readonly #timer: NodeJS.Timeout = setTimeout(() => this.end(), MAX_AGE_MS);
  #client: pg.PoolClient | undefined;
  #readers = 0;
  #isEnded = false;
  /** Settles when no query runs. */
  #idle: Promise<unknown>;

  /**
   * @param version The version that the database had before.
   * @param onEnd Called when the transaction ends.
   */
  constructor(
    pool: pg.Pool,
    version: string | null,
    onEnd: () => void,
  ) {
    this.#version = version;
    this.#onEnd = onEnd;
    this.#timer.unref();
    this.#idle = this.#begin(pool);
    this.#idle.catch(() => this.end());
  }

  async #begin(pool: pg.Pool): Promise<void> {
    const client = await connect(pool);
    if (this.#isEnded) return client.release(true);
    this.#client = client;
    await run(client, BEGIN, QUERY_MS);
  }

  /** Runs a query after those of other lists. If one fails, the transaction ends. */
  async query<Row>(text: string): Promise<readonly Row[]> {
    const rows = this.#idle.then(() => {
      if (this.#isEnded) throw new Error("the list took too long");
      return run<Row>(this.#client!, text, QUERY_MS);
    });
    this.#idle = rows;
    try {
      return await rows;
    } catch (cause) {
      this.end();
      throw new StoreUnavailableError("The list cannot be read", { cause });
    }
  }

  /** Whether a list with a version can join. */
  accepts(version: string | null): boolean {
    return version !== null && version === this.#version &&
      performance.now() - this.#start < JOIN_MS;
  }

  enter(): void {
    this.#readers++;
  }

  /** Ends the transaction when its last reader leaves. */
  leave(): void {
    if (--this.#readers === 0) this.end();
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#client?.release(true);
    this.#onEnd();
  }
}
