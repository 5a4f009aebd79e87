/**
 * A store that serves the plants and users that `plant-store import` stored in a
 * PostgreSQL database, which any number of servers can share. Requires the npm
 * package `pg`.
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
import { notify } from "../core/internal/notify.ts";
import { readOptions } from "../core/internal/read_options.ts";
import {
  type PlantStore,
  type Readiness,
  StoreUnavailableError,
  type User,
} from "../core/domain/store.ts";
import { createMemoryStore, type MemoryStore } from "../core/stores/memory.ts";
import { selectContent, within } from "./postgres/content.ts";
import {
  checkDatabaseUrl,
  type Client,
  createClient,
  explainDatabaseError,
  loadPg,
  OPEN_MS,
} from "./postgres/pg_client.ts";

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
  /** Returns when the store loaded the plants and users. Rejects if it cannot. */
  ready(): Promise<Readiness>;
  /** Closes the connection. */
  close(): Promise<void>;
}

/** The maximum time for a request, and for a query, to wait for the database. */
const TIMEOUT_MS = 1_800;

/** The time between attempts to reach an unavailable database. */
const RETRY_MS = 200;

/**
 * Opens a store that serves the plants and users that were imported into a PostgreSQL
 * database. It keeps them in memory, and asks the database for each request whether
 * there is a newer import. It connects on the first request, and reconnects if
 * necessary. While the database is unavailable, the methods of the store throw
 * `StoreUnavailableError` within about two seconds.
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

  let client: Client | undefined;
  let isOpen = false;
  let isClosed = false;
  /** The messages reported since the database was available; two timeouts can alternate. */
  const outages = new Set<string>();
  let store: MemoryStore | undefined;
  let version: string | undefined;

  async function connect(): Promise<Client> {
    if (isClosed) throw new Error("the store is closed");
    const opening = client = createClient(pg, url);
    opening.on("error", () => {
      if (client === opening) disconnect();
    });
    await opening.connect();
    isOpen = true;
    return opening;
  }

  function disconnect(): void {
    client?.end();
    client = undefined;
    isOpen = false;
  }

  /** Loads the last import, unless the store has it. */
  async function refresh(): Promise<MemoryStore> {
    const connection = client ?? await connect();
    const last = await selectContent(connection, "version", TIMEOUT_MS);
    if (!store || last.version !== version) {
      // As text, because programs can set another parser for JSON.
      const columns = "version, plants::text, users::text";
      const row = await selectContent(connection, columns, OPEN_MS);
      const plants = JSON.parse(row.plants), users = JSON.parse(row.users);
      store = createMemoryStore({ plants, users });
      version = row.version;
    }
    return store;
  }

  /** Settles when no refresh runs, and it is time for the next one. */
  let idle: Promise<void> = Promise.resolve();
  let next: Promise<MemoryStore> | undefined;

  /**
   * Requests share the next refresh, not the running one, which may have missed an
   * import that has finished. So there is one connection, and no queue of queries.
   */
  function refreshNext(): Promise<MemoryStore> {
    return next ??= idle.then(() => {
      next = undefined;
      const running = refresh();
      idle = running.then(() => report(), async (error) => {
        disconnect();
        report(error);
        await sleep(RETRY_MS);
      });
      return running;
    });
  }

  async function load(): Promise<MemoryStore> {
    try {
      return await within(TIMEOUT_MS, refreshNext());
    } catch (cause) {
      if (!isOpen) report(cause); // opening a connection takes longer than expected
      throw new StoreUnavailableError("The database is unavailable", { cause });
    }
  }

  function report(error?: unknown): void {
    const outage = error ? explainDatabaseError(error) : undefined;
    const isKnown = outage ? outages.has(outage.message) : outages.size === 0;
    if (isClosed || isKnown) return;
    if (outage) outages.add(outage.message);
    else outages.clear();
    if (onStatus) notify(onStatus, outage, console.error);
  }

  function close(): Promise<void> {
    isClosed = true;
    disconnect();
    return Promise.resolve();
  }

  return {
    authenticate: async (token) => (await load()).authenticate(token),
    ready: async () => (await load()).ready(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
