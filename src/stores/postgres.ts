/**
 * A store that reads plants and users from a PostgreSQL database, which any number
 * of servers can share. Requires the npm package `pg`.
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
import { readOptions } from "../domain/options.ts";
import type { Plant } from "../domain/plant.ts";
import {
  type PlantStore,
  StoreUnavailableError,
  type Viewer,
} from "../domain/store.ts";
import { isExpired } from "./catalog/snapshot.ts";
import { digest } from "./digest.ts";
import {
  createPool,
  explainDatabaseError,
  type Pool,
} from "./postgres/client.ts";
import {
  findPlants,
  findUser,
  type ImportedUser,
  type PlantsQuery,
  SETTINGS,
  toPlant,
} from "./postgres/queries.ts";

/** Options for {@linkcode openPostgresStore}. */
export interface PostgresStoreOptions {
  /** The URL of the database, such as `postgres://user:password@host/name`. */
  readonly url: string;
  /**
   * The URL of a standby server (read replica). The store reads lists from it while
   * it has the same import as the primary server, which always checks the tokens.
   * Default: no standby.
   */
  readonly readUrl?: string;
  /** Called with the cause when the database becomes unavailable. */
  readonly onOutage?: (cause: Error) => void;
  /** Called when the database becomes available again. */
  readonly onRecovery?: () => void;
}

/** A store that reads plants and users from a PostgreSQL database. */
export interface PostgresStore extends PlantStore, AsyncDisposable {
  /** Returns the user for a token, or `undefined` if the token is not valid. */
  authenticate(token: string): Promise<Viewer | undefined>;
  /** Resolves if plants can be listed, and rejects if they cannot. */
  ready(): Promise<void>;
  /** Waits up to two seconds for running queries, then closes all connections. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 10; // to each server
const TIMEOUT_MS = 800; // for a query on the primary server
const STANDBY_TIMEOUT_MS = 300; // for a query on the standby
const STANDBY_PAUSE_MS = 2_000; // between the failure of a standby and its next query
const TRUST_MS = 900; // between reading a token and reading it again
const CACHE_SIZE = 10_000; // tokens
const PART_SIZE = 1_000; // plants per query, so that long lists do not block others
const MAX_ATTEMPTS = 5; // to read a list while imports replace the plants

/**
 * Opens a store that reads from a PostgreSQL database. To fill the database, run
 * `plant-store import`. The store connects on the first request and reconnects when
 * necessary. While the database is unavailable, the store's methods
 * throw `StoreUnavailableError`.
 *
 * @param options The URL of the database and other options.
 * @returns A promise that resolves to the store.
 * @throws {TypeError} If an option is unknown, missing, or of the wrong type.
 * @throws {RangeError} If the value of an option is invalid.
 * @throws {Error} If the package `pg` is not installed, if a parameter of a URL is
 * invalid, or if Deno denies access to a host or to an environment variable that
 * the package reads.
 */
export async function openPostgresStore(
  options: PostgresStoreOptions,
): Promise<PostgresStore> {
  const { url, readUrl, onOutage, onRecovery } = readOptions(options, {
    url: "string",
    readUrl: "string?",
    onOutage: "function?",
    onRecovery: "function?",
  });
  const primary = await openServer(url, TIMEOUT_MS);
  const standby = readUrl === undefined
    ? undefined
    : await openServer(readUrl, STANDBY_TIMEOUT_MS);
  let skipStandbyUntil = 0;

  let isAvailable = true;
  let closed: Promise<unknown> | undefined;
  function report(error?: Error): void {
    if (closed || isAvailable === !error) return;
    isAvailable = !error;
    const call = async () => await (error ? onOutage?.(error) : onRecovery?.());
    call().catch(console.error);
  }

  async function onPrimary<T>(query: Promise<T>): Promise<T> {
    try {
      const result = await withTimeout(TIMEOUT_MS, query);
      report();
      return result;
    } catch (error) {
      const cause = explainDatabaseError(error);
      report(cause);
      throw new StoreUnavailableError("The database is unavailable", { cause });
    }
  }

  // An idle connection was lost. Report an outage even if there are no requests.
  primary.on("error", () => ready().catch(() => {}));

  // The cache saves one of the two queries per request.
  const cache = new Map<string, { found: ImportedUser; until: number }>();

  async function readUser(sha256: string) {
    const until = performance.now() + TRUST_MS;
    const found = await onPrimary(findUser(primary, sha256));
    cache.delete(sha256);
    if (cache.size >= CACHE_SIZE) cache.clear();
    if (found) cache.set(sha256, { found, until });
    return found;
  }

  /** Reads from the standby if it has the import, and from the primary otherwise. */
  async function readPart(query: PlantsQuery) {
    if (standby && performance.now() >= skipStandbyUntil) {
      try {
        const found = findPlants(standby, query);
        const part = await withTimeout(STANDBY_TIMEOUT_MS, found);
        if (part) return part;
      } catch {
        skipStandbyUntil = performance.now() + STANDBY_PAUSE_MS;
      }
    }
    return await onPrimary(findPlants(primary, query));
  }

  /** Reads a list, and starts over if an import replaces the plants and users. */
  async function list(
    sha256: string,
    { importId, access }: ImportedUser,
    limit: number,
    attempts = MAX_ATTEMPTS,
  ): Promise<readonly Plant[]> {
    const plants: Plant[] = [];
    for (let after = -1;;) {
      const size = Math.min(limit - plants.length, PART_SIZE);
      const part = await readPart({ importId, access, limit: size, after });
      if (!part) break;
      for (const row of part) plants.push(toPlant(row));
      if (part.length < size || plants.length === limit) return plants;
      after = part.at(-1)!.position!;
    }
    const user = attempts > 1 ? await readUser(sha256) : undefined;
    if (user) return await list(sha256, user, limit, attempts - 1);
    throw new StoreUnavailableError("The user or the plants were replaced");
  }

  async function ready(): Promise<void> {
    // Read every table, because the role may lack a privilege.
    const importId = "00000000-0000-0000-0000-000000000000";
    const query = { importId, access: "all", limit: 0, after: -1 } as const;
    const user = findUser(primary, "");
    await onPrimary(Promise.all([user, findPlants(primary, query)]));
  }

  async function close(): Promise<void> {
    closed ??= Promise.all([primary.end(), standby?.end()]);
    await closed;
  }

  return {
    async authenticate(token) {
      const sha256 = digest(token);
      const cached = cache.get(sha256);
      const isTrusted = cached && performance.now() < cached.until;
      const found = isTrusted ? cached.found : await readUser(sha256);
      if (!found) return undefined;
      const { user, expires } = found;
      if (expires !== null && isExpired(Date.parse(expires))) return undefined;
      return { user, list: (limit = Infinity) => list(sha256, found, limit) };
    },
    ready,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Creates a pool whose waits and queries end after a time in milliseconds. */
function openServer(url: string, timeout: number): Promise<Pool> {
  return createPool(url, {
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: timeout, // includes the wait for a free connection
    query_timeout: timeout, // closes the connection, even if the server hangs
    // PgBouncer rejects startup parameters, so these are statements.
    onConnect: (client) =>
      client.query(`set statement_timeout = ${timeout}; ${SETTINGS}`),
  });
}

/** Rejects if a promise is not settled after a time in milliseconds. */
function withTimeout<T>(timeout: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const error = () => new Error("the database did not respond in time");
    const timer = setTimeout(() => reject(error()), timeout);
    promise.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
