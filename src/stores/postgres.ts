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
import { sha256 } from "../core/internal/digest.ts";
import { readOptions } from "../core/internal/read_options.ts";
import {
  createReport,
  isDataError,
  query,
  withTimeout,
} from "./postgres/connection.ts";
import { createDatabaseList, type ReadPage } from "./postgres/database_list.ts";
import {
  checkDatabaseUrl,
  createClient,
  createPool,
  explainDatabaseError,
  loadPg,
} from "./postgres/pg_client.ts";
import {
  MIN_ID,
  type Page,
  READ_PAGE,
  READ_USERS,
  type UserRow,
} from "./postgres/queries.ts";
import { createUserLookup } from "./postgres/user_lookup.ts";

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

/** The digest of no token. */
const NO_TOKEN = "0".repeat(64);

/**
 * Opens a store that serves the plants and users in a PostgreSQL database. It connects
 * on the first request, and reconnects if necessary. While the database is unavailable,
 * the methods of the store throw `StoreUnavailableError` within about two seconds.
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
  // Slow lists do not delay users, and the next pages of long lists delay no other list.
  const users = createPool(pg, url, 1);
  const firstPages = createPool(pg, url, 4), nextPages = createPool(pg, url, 4);
  const report = createReport((outage) =>
    users.ending ? undefined : onStatus?.(outage)
  );

  /** Waits for what a request needs. Except for data, errors mean an outage. */
  async function wait<T>(result: Promise<T>, isList = false): Promise<T> {
    try {
      const value = await result;
      report(undefined, isList);
      return value;
    } catch (cause) {
      if (isDataError(cause)) throw explainDatabaseError(cause);
      report(cause, isList);
      throw new StoreUnavailableError("The database is unavailable", { cause });
    }
  }

  const findUser = createUserLookup((digests) =>
    query<UserRow>(users, READ_USERS, [digests])
  );

  const readPage: ReadPage = async (isFirst, ...values) => {
    const rows = isFirst
      ? withTimeout(query<Page>(firstPages, READ_PAGE, values))
      : query<Page>(nextPages, READ_PAGE, values);
    return (await wait(rows, true))[0]!;
  };

  function createUser(row: UserRow): User {
    const behavior = row.behavior && JSON.parse(row.behavior) as Behavior;
    return {
      name: row.name,
      ...behavior && { behavior },
      list: (limit) => createDatabaseList(readPage, row, limit),
    };
  }

  function close(): Promise<void> {
    const pools = [users, firstPages, nextPages];
    if (!users.ending) void Promise.all(pools.map((pool) => pool.end()));
    return Promise.resolve();
  }

  return {
    async authenticate(token) {
      const row = await wait(withTimeout(findUser(await sha256(token))));
      return row && createUser(row);
    },
    async ready() {
      await wait(withTimeout(findUser(NO_TOKEN)));
      await readPage(true, NO_TOKEN, MIN_ID, 1, 1);
      return {};
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
