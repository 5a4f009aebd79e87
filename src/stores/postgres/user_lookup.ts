import { setTimeout as sleep } from "node:timers/promises";
import { query } from "./connection.ts";
import type { ReportStatus } from "./outages.ts";
import { NO_IMPORT, type Pool } from "./pg_client.ts";
import { selectUsers, type UserRow } from "./queries.ts";

/** The time between attempts to reach an unavailable database. */
const RETRY_MS = 200;

/** The maximum number of users that are cached. */
const MAX_USERS = 10_000;

/** Finds the users of tokens as of the current version of the database. */
export class UserLookup {
  readonly #pool: Pool;
  readonly #report: ReportStatus;
  #version: string | null = null;
  /** The users of this version by the digest of their token. */
  #users = new Map<string, UserRow>();
  /** The digests that the next query looks for. */
  #nextDigests = new Set<string>();
  #nextQuery: Promise<ReadonlyMap<string, UserRow>> | undefined;
  /** Settles when no query runs, and it is time for the next one. */
  #idle: Promise<void> = Promise.resolve();

  /** @param pool A pool with one connection. */
  constructor(pool: Pool, report: ReportStatus) {
    this.#pool = pool;
    this.#report = report;
  }

  /**
   * Returns users by the digest of their token, among them the one with this digest, if
   * it is valid. Requests share the next query, not the running one, which may have
   * missed a change that was committed before. So there is no queue of queries.
   */
  find(digest?: string): Promise<ReadonlyMap<string, UserRow>> {
    if (digest !== undefined) this.#nextDigests.add(digest);
    return this.#nextQuery ??= this.#idle.then(() => {
      const running = this.#read(this.#nextDigests);
      this.#nextDigests = new Set();
      this.#nextQuery = undefined;
      this.#idle = running.then(
        () => this.#report(this.#pool),
        async (error) => {
          this.#report(this.#pool, error);
          await sleep(RETRY_MS);
        },
      );
      return running;
    });
  }

  /** Reads the version, and the users that are not cached as of this version. */
  async #read(
    digests: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, UserRow>> {
    if (this.#users.size > MAX_USERS) this.#users = new Map();
    const missing = [...digests].filter((digest) => !this.#users.has(digest));
    let rows = await this.#select(missing);
    const version = rows[0].version;
    if (version !== this.#version || version === null) {
      if (missing.length < digests.size) {
        rows = await this.#select([...digests]);
      }
      this.#users = new Map();
      this.#version = rows[0].version;
    }
    for (const row of rows) if (row.digest) this.#users.set(row.digest, row);
    return this.#users;
  }

  async #select(
    digests: readonly string[],
  ): Promise<readonly [UserRow, ...UserRow[]]> {
    const text = selectUsers(digests);
    const [first, ...others] = await query<UserRow>(this.#pool, text);
    if (!first) throw new Error(NO_IMPORT);
    return [first, ...others];
  }
}
