/**
 * A store that serves the plants and users in the tables of a PostgreSQL database, which
 * any number of servers can share. Requires the npm package `pg`.
 *
 * @example
 * ```ts
 * import { createHandler } from "plant-store";
 * import { openPostgresStore } from "plant-store/postgres";
 *
 * const store = await openPostgresStore({
 *   url: "postgres://plants@127.0.0.1:1/plants",
 * });
 * const handler = createHandler(store);
 * const response = await handler(new Request("http://localhost/readyz"));
 * // There is no database at this URL.
 * console.log(response.status); // 503
 * await store.close();
 * ```
 *
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Behavior } from "../core/domain/behavior.ts";
import {
  type PlantStore,
  type Readiness,
  StoreUnavailableError,
  type User,
} from "../core/domain/store.ts";
import { isExpired } from "../core/domain/token.ts";
import { sha256 } from "../core/internal/digest.ts";
import { notify } from "../core/internal/notify.ts";
import { readOptions } from "../core/internal/read_options.ts";
import { query, TIMEOUT_MS, within } from "./postgres/connection.ts";
import { type Database, DatabaseList } from "./postgres/database_list.ts";
import {
  checkDatabaseUrl,
  createClient,
  createPool,
  explainDatabaseError,
  loadPg,
  NO_IMPORT,
  type Pool,
} from "./postgres/pg_client.ts";
import {
  MAX_ID,
  MIN_ID,
  type Page,
  selectPage,
  selectUsers,
  type UserRow,
} from "./postgres/queries.ts";
import { Transaction } from "./postgres/transaction.ts";

/** Options for {@linkcode openPostgresStore}. */
export interface PostgresStoreOptions {
  /** The URL of the database, in the format of the npm package `pg`. */
  readonly url: string;
  /**
   * Called with the cause when the database becomes unavailable, with each other
   * cause until it is available again, and then without arguments. Errors that the
   * callback throws are written to the console.
   */
  readonly onStatus?: (outage?: Error) => void;
}

/** A store that serves plants and users from a PostgreSQL database. */
export interface PostgresStore extends PlantStore, AsyncDisposable {
  /** Returns the user for a token, or `undefined` if the token is not valid. */
  authenticate(token: string): Promise<User | undefined>;
  /** Resolves if the version of the plants and users can be read. */
  ready(): Promise<Readiness>;
  /** Closes the connections. */
  close(): Promise<void>;
}

/** The time between attempts to reach an unavailable database. */
const RETRY_MS = 200;

/** The number of connections that read short lists, and that read long ones. */
const LIST_CONNECTIONS = 4, MAX_TRANSACTIONS = 10;

/** The maximum number of users that are kept. */
const MAX_USERS = 10_000;

/** A user, and when the token expires. */
interface Found {
  readonly user: User;
  readonly expires: number;
}

/**
 * Opens a store that serves the plants and users in a PostgreSQL database. For each
 * request, it asks the database whether anything has changed, and keeps what it has read
 * until then. It connects on the first request, and reconnects if necessary. While the
 * database is unavailable, the methods of the store throw `StoreUnavailableError` within
 * about two seconds.
 *
 * @param options The URL of the database and other options.
 * @returns A promise that resolves to the store.
 * @throws {TypeError} If an option is unknown, missing, or of the wrong type.
 * @throws {RangeError} If the URL is invalid.
 * @throws {Error} If the package `pg` is not installed, or if Deno denies access to an
 * environment variable that the package reads.
 */
export async function openPostgresStore(
  options: PostgresStoreOptions,
): Promise<PostgresStore> {
  const { url, onStatus } = readOptions(options, {
    url: "string",
    onStatus: "function?",
  });
  checkDatabaseUrl(url, "url");
  const pg = await loadPg();
  createClient(pg, url); // throws if the URL cannot be decoded
  // Lists have their own connections, so that they do not delay versions.
  const [versions, lists, snapshots] = [1, LIST_CONNECTIONS, MAX_TRANSACTIONS]
    .map((max) => createPool(pg, url, max)) as [Pool, Pool, Pool];

  let isClosed = false;
  /** The messages reported since the database was available; two timeouts can alternate. */
  const outages = new Set<string>();
  /** The pools whose last query failed. */
  const failing = new Set<Pool>();

  /** Reports that the queries of a pool work, or why they fail. */
  function report(pool: Pool, error?: unknown): void {
    if (isClosed) return;
    if (error === undefined) failing.delete(pool);
    else failing.add(pool);
    const outage = error === undefined
      ? undefined
      : explainDatabaseError(error);
    const isKnown = outage
      ? outages.has(outage.message)
      : outages.size === 0 || failing.size > 0;
    if (isKnown) return;
    if (outage) outages.add(outage.message);
    else outages.clear();
    if (onStatus) notify(onStatus, outage, console.error);
  }

  /** Waits for what a request needs. If it fails, the database is unavailable. */
  async function attempt<T>(result: Promise<T>): Promise<T> {
    try {
      return await within(TIMEOUT_MS, result);
    } catch (cause) {
      throw new StoreUnavailableError("The database is unavailable", { cause });
    }
  }

  let version: string | null = null;
  /** The users of this version by the digest of their token. */
  let known = new Map<string, Found>();
  /** The digests that the next query looks for. */
  let wanted = new Set<string>();
  /** Settles when no query for the version runs, and it is time for the next one. */
  let idle: Promise<void> = Promise.resolve();
  let next: Promise<ReadonlyMap<string, Found>> | undefined;

  /**
   * Requests share the next query for the version, not the running one, which may have
   * missed a change that was committed before. So there is no queue of queries.
   */
  function findUsers(digest?: string): Promise<ReadonlyMap<string, Found>> {
    if (digest !== undefined) wanted.add(digest);
    next ??= idle.then(() => {
      const running = readUsers(wanted);
      wanted = new Set();
      next = undefined;
      idle = running.then(() => report(versions), async (error) => {
        report(versions, error);
        await sleep(RETRY_MS);
      });
      return running;
    });
    return attempt(next);
  }

  /** Reads the version, and the users that are not known as of this version. */
  async function readUsers(
    digests: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, Found>> {
    if (known.size > MAX_USERS) known = new Map();
    const select = async (some: readonly string[]) => {
      const rows = await query<UserRow>(versions, selectUsers(some));
      if (!rows[0]) throw new Error(NO_IMPORT);
      return rows;
    };
    const missing = [...digests].filter((digest) => !known.has(digest));
    let rows = await select(missing);
    if (rows[0]!.version !== version || version === null) {
      if (missing.length < digests.size) rows = await select([...digests]);
      known = new Map();
      version = rows[0]!.version;
    }
    for (const row of rows) {
      if (row.digest) known.set(row.digest, createFound(row));
    }
    return known;
  }

  /** The running queries for pages, by the version that their lists are to have. */
  const pages = new Map<string, Promise<Page>>();
  const transactions = new Set<Transaction>();

  // Lists of a version share a query or a transaction, although it may have started
  // before their requests: it started after one of them found this version.
  const database: Database = {
    readPage(version, text) {
      const key = `${version} ${text}`;
      let page = version === null ? undefined : pages.get(key);
      if (!page) {
        page = queryPage(text).finally(() => pages.delete(key));
        pages.set(key, page);
      }
      return attempt(page);
    },
    enterTransaction(version) {
      const found = [...transactions].find((each) => each.accepts(version));
      const transaction = found ??
        new Transaction(snapshots, version, (error) => {
          transactions.delete(transaction);
          if (error !== undefined) report(lists, error);
        });
      transactions.add(transaction);
      transaction.enter();
      return transaction;
    },
  };

  async function queryPage(text: string): Promise<Page> {
    try {
      const [page] = await query<Page>(lists, text);
      if (!page) throw new Error(NO_IMPORT);
      report(lists);
      return page;
    } catch (error) {
      report(lists, error);
      throw error;
    }
  }

  function createFound(row: UserRow): Found {
    const behavior = row.behavior && JSON.parse(row.behavior) as Behavior;
    return {
      expires: Number(row.expires ?? Infinity),
      user: {
        name: row.name,
        ...behavior && { behavior },
        list: (limit) => new DatabaseList(database, row, limit),
      },
    };
  }

  function close(): Promise<void> {
    isClosed = true;
    for (const transaction of transactions) transaction.end();
    for (const pool of [versions, lists, snapshots]) void pool.end();
    return Promise.resolve();
  }

  return {
    async authenticate(token) {
      const digest = await sha256(token);
      const found = (await findUsers(digest)).get(digest);
      return found && !isExpired(found.expires) ? found.user : undefined;
    },
    async ready() {
      await findUsers();
      const range = { after: MIN_ID, to: MAX_ID, max: 1 };
      await database.readPage(null, selectPage(await sha256(""), range));
      return {};
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
