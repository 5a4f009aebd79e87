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
import type { Behavior } from "../core/domain/behavior.ts";
import {
  type PlantStore,
  type Readiness,
  StoreUnavailableError,
  type User,
} from "../core/domain/store.ts";
import { isExpired } from "../core/domain/token.ts";
import { sha256 } from "../core/internal/digest.ts";
import { readOptions } from "../core/internal/read_options.ts";
import { query, TIMEOUT_MS, within } from "./postgres/connection.ts";
import { DatabaseList, type ReadPage } from "./postgres/database_list.ts";
import { createReportStatus } from "./postgres/outages.ts";
import {
  checkDatabaseUrl,
  createClient,
  createPool,
  loadPg,
  NO_IMPORT,
} from "./postgres/pg_client.ts";
import {
  MIN_ID,
  type Page,
  selectPage,
  type UserRow,
} from "./postgres/queries.ts";
import { UserLookup } from "./postgres/user_lookup.ts";

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
  /** Resolves, without times, if the plants and users can be read. */
  ready(): Promise<Readiness>;
  /** Closes the connections. */
  close(): Promise<void>;
}

/** The number of connections for lists. */
const LIST_CONNECTIONS = 10;

/** The digest of no token. */
const NO_TOKEN = "0".repeat(64);

/**
 * Opens a store that serves the plants and users in a PostgreSQL database. For each
 * request, it reads the version, and it caches users until the version changes. It connects on the first request, and reconnects if necessary. While the
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
  const versions = createPool(pg, url, 1);
  const lists = createPool(pg, url, LIST_CONNECTIONS);
  let isClosed = false;
  const report = createReportStatus((outage) =>
    isClosed ? undefined : onStatus?.(outage)
  );
  const lookup = new UserLookup(versions, report);

  /** Waits for what a request needs. If it fails, the database is unavailable. */
  async function withTimeout<T>(result: Promise<T>): Promise<T> {
    try {
      return await within(TIMEOUT_MS, result);
    } catch (cause) {
      throw new StoreUnavailableError("The database is unavailable", { cause });
    }
  }

  /** The running queries for pages, by what their lists can show. */
  const pages = new Map<string, Promise<Page>>();

  // After a change, many clients request the same list, and share the query.
  const readPage: ReadPage = (view, text) => {
    const key = `${view} ${text}`;
    let page = view === undefined ? undefined : pages.get(key);
    if (!page) {
      page = queryPage(text).finally(() => pages.delete(key));
      pages.set(key, page);
    }
    return withTimeout(page);
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

  function createUser(row: UserRow): User {
    const behavior = row.behavior && JSON.parse(row.behavior) as Behavior;
    return {
      name: row.name,
      ...behavior && { behavior },
      list: (limit) => new DatabaseList(readPage, row, limit),
    };
  }

  function close(): Promise<void> {
    if (isClosed) return Promise.resolve();
    isClosed = true;
    for (const pool of [versions, lists]) void pool.end();
    return Promise.resolve();
  }

  return {
    async authenticate(token) {
      const digest = await sha256(token);
      const users = await withTimeout(lookup.find(digest));
      const row = users.get(digest);
      if (!row || isExpired(Number(row.expires ?? Infinity))) return undefined;
      return createUser(row);
    },
    async ready() {
      await withTimeout(lookup.find());
      const range = { after: MIN_ID, max: 1, perTerm: 1 };
      await readPage(undefined, selectPage(NO_TOKEN, range));
      return {};
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
