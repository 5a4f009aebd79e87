/**
 * A store that reads plants and users from a PostgreSQL database, which any number
 * of servers can share. Requires the npm package `postgres`.
 *
 * @example
 * ```ts
 * import { createHandler } from "plant-store";
 * import { openPostgresStore } from "plant-store/postgres";
 * import { assertEquals } from "@std/assert";
 *
 * const store = await openPostgresStore({
 *   url: "postgres://plants@127.0.0.1:1/plants",
 * });
 * const handler = createHandler(store);
 * const response = await handler(new Request("http://localhost/readyz"));
 * assertEquals(response.status, 503); // there is no database at this URL
 * await store.close();
 * ```
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { clearInterval, setInterval } from "node:timers";
import type { Plant } from "../domain/plant.ts";
import {
  type PlantStore,
  StoreUnavailableError,
  type Viewer,
} from "../domain/store.ts";
import { digest } from "./digest.ts";
import { explain, loadPostgres } from "./postgres/client.ts";
import { createPool } from "./postgres/pool.ts";
import {
  findPlants,
  findUser,
  type FoundUser,
  type Piece,
  type PieceQuery,
} from "./postgres/queries.ts";

/** Options for {@linkcode openPostgresStore}. */
export interface PostgresStoreOptions {
  /** The URL of the database, such as `postgres://user:password@host/name`. */
  readonly url: string;
  /**
   * The URL of a standby server (read replica). The store reads lists from it while
   * it has the same plants as the primary server, which always checks the tokens.
   * Default: no standby.
   */
  readonly readUrl?: string;
  /** The maximum number of connections to each server. Default: 10. */
  readonly maxConnections?: number;
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

/** How long a request can wait for the database, in milliseconds. */
const TIMEOUT_MS = 1_500;

/** How long the standby can take to respond, and how long to skip it after a failure. */
const STANDBY_TIMEOUT_MS = 600, STANDBY_PAUSE_MS = 2_000;

/** The maximum number of cached tokens. */
const CACHE_SIZE = 10_000;

/** The time between checks of the database, in milliseconds. */
const HEARTBEAT_MS = 1_000;

/** The maximum number of plants per query, so that long lists do not block other requests. */
const PIECE_SIZE = 1_000;

/**
 * Opens a store that reads from a PostgreSQL database. To fill the database, run
 * `plant-store import`. The store connects on the first request and reconnects when
 * necessary. While the database is unavailable, the store's methods
 * throw `StoreUnavailableError`.
 *
 * @param options The URL of the database and other options.
 * @returns A promise that resolves to the store.
 * @throws {RangeError} If an option is invalid.
 * @throws {Error} If the package `postgres` is not installed, or if Deno denies
 * access to a host or to an environment variable that the package reads.
 */
export async function openPostgresStore(
  options: PostgresStoreOptions,
): Promise<PostgresStore> {
  const { url, readUrl, maxConnections: max = 10 } = options;
  const { onOutage, onRecovery } = options;
  if (!Number.isInteger(max) || max < 1) {
    throw new RangeError(
      `maxConnections must be a positive integer, got ${max}`,
    );
  }

  // The cache saves a query per request. Every connection to the primary listens
  // for changes, so the connection that a user was read from either reports a
  // change or closes. Each change replaces the map, because a query that is still
  // running can return a user from before the change.
  let cache = new Map<string, FoundUser>();
  function clearCache(): void {
    cache = new Map();
  }

  let isAvailable = true;
  const primary = createPool({
    connect: await loadPostgres(url),
    max,
    onResult(error) {
      const wasAvailable = isAvailable;
      isAvailable = error === undefined;
      if (wasAvailable && !isAvailable) onOutage?.(explain(error));
      if (!wasAvailable && isAvailable) onRecovery?.();
    },
    onChange: clearCache,
  });

  const standby = readUrl === undefined
    ? undefined
    : createPool({ connect: await loadPostgres(readUrl), max });
  let skipStandbyUntil = 0;

  // Without a heartbeat, the cache would miss changes while connections hang.
  const heartbeat = setInterval(() => {
    ready().catch(clearCache);
  }, HEARTBEAT_MS).unref();

  async function findToken(
    token: string,
    deadline: number,
  ): Promise<FoundUser | undefined> {
    const current = cache;
    const user = current.get(token) ??
      await primary.run(deadline, (sql) => findUser(sql, digest(token)));
    if (!user || isPast(user.expires)) return undefined;
    if (current.size < CACHE_SIZE) current.set(token, user);
    return user;
  }

  /** Reads from the standby if it has the same import, and from the primary otherwise. */
  async function readPiece(
    query: PieceQuery,
    version: string,
    deadline: number,
  ): Promise<Piece> {
    const now = performance.now();
    if (standby && now >= skipStandbyUntil) {
      const early = Math.min(deadline, now + STANDBY_TIMEOUT_MS);
      try {
        const piece = await standby.run(early, (sql) => findPlants(sql, query));
        if (piece.version === version) return piece;
      } catch {
        skipStandbyUntil = performance.now() + STANDBY_PAUSE_MS;
      }
    }
    return await primary.run(deadline, (sql) => findPlants(sql, query));
  }

  /** Reads a list. Returns `undefined` if an import has replaced the plants and users. */
  async function readList(
    { access, version }: FoundUser,
    limit: number,
    deadline: number,
  ): Promise<readonly Plant[] | undefined> {
    const parts: (readonly Plant[])[] = [];
    for (let missing = limit, after = -1, until = deadline;;) {
      const size = Math.min(missing, PIECE_SIZE);
      const query = { access, limit: size, after };
      const piece = await readPiece(query, version, until);
      if (piece.version !== version) return undefined;
      parts.push(JSON.parse(`[${Buffer.from(piece.json)}]`));
      if (piece.count < size || size === missing) {
        return parts.flat();
      }
      missing -= size;
      after = piece.last;
      until = performance.now() + TIMEOUT_MS; // long lists can take longer
    }
  }

  async function list(
    token: string,
    found: FoundUser,
    limit: number,
    deadline: number,
  ): Promise<readonly Plant[]> {
    let user: FoundUser | undefined = found;
    while (user) {
      const result = await readList(user, limit, deadline);
      if (result) return result;
      cache.delete(token);
      user = await findToken(token, deadline);
    }
    throw new StoreUnavailableError("The user has been replaced");
  }

  async function ready(): Promise<void> {
    const query = { access: "all", limit: 0, after: -1 } as const;
    const deadline = performance.now() + TIMEOUT_MS;
    await primary.run(deadline, (sql) => findPlants(sql, query));
  }

  async function close(): Promise<void> {
    clearInterval(heartbeat);
    await Promise.all([primary.close(), standby?.close()]);
  }

  return {
    async authenticate(token) {
      const deadline = performance.now() + TIMEOUT_MS;
      const user = await findToken(token, deadline);
      return user && {
        user: user.user,
        list(limit = Infinity) {
          const now = performance.now();
          // A program can keep a viewer for longer than a request.
          const until = now < deadline ? deadline : now + TIMEOUT_MS;
          return list(token, user, limit, until);
        },
      };
    },
    ready,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function isPast(date: string | null): boolean {
  return date !== null && Date.parse(date) <= Date.now();
}
