/**
 * A store on PostgreSQL: any number of servers share one database. It needs the
 * npm package postgres.
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
 * assertEquals(response.status, 503); // no database is there
 * await store.close();
 * ```
 *
 * @module
 */
import {
  type EncodedList,
  type PlantStore,
  StoreUnavailableError,
  type Viewer,
} from "../domain/store.ts";
import { addEtagFast, digest } from "./digest.ts";
import { explain, loadPostgres } from "./postgres/client.ts";
import { findPlants, type Piece } from "./postgres/lists.ts";
import { createListener } from "./postgres/listener.ts";
import { createPool, type Pool, type RunOptions } from "./postgres/pool.ts";
import type { Sql } from "./postgres/schema.ts";
import { findUser, type FoundUser } from "./postgres/users.ts";

/** Which database a {@linkcode PostgresStore} is made of. */
export interface PostgresStoreOptions {
  /** The address of the database, such as `postgres://user:password@host/name`. */
  readonly url: string;
  /**
   * The address of a standby that lists are read from, while it has the same
   * plants as the database itself. Tokens are always judged by that one. None by
   * default.
   */
  readonly readUrl?: string;
  /** The most connections for requests at once, to each of the two. Default: 10. */
  readonly maxConnections?: number;
  /** Is told why the database can't be used, once each time it goes away. None by default. */
  readonly onOutage?: (cause: Error) => void;
  /** Is told that the database can be used again. None by default. */
  readonly onRecovery?: () => void;
}

/** A store on PostgreSQL. */
export interface PostgresStore extends PlantStore, AsyncDisposable {
  /** Returns the user that a token belongs to, or `undefined` if it is not valid. */
  authenticate(token: string): Promise<Viewer | undefined>;
  /** Resolves when plants can be listed; throws when they can't. */
  ready(): Promise<void>;
  /** Lets the queries under way finish, two seconds at the most, and ends all connections. */
  close(): Promise<void>;
}

/** How long, in milliseconds, the database may take for one request, all in all. */
const PATIENCE = 1_500;

/** How much of it a standby may take before the database itself is asked, and how long it is left alone then. */
const STANDBY_PATIENCE = 600, STANDBY_REST = 2_000;

/** How many tokens are remembered. */
const MAX_REMEMBERED = 10_000;

/** How often a list is tried again when an import comes between. */
const TRIES = 3;

/** How many plants are read at once: a longer list is read in pieces, each of which may take its time. */
const PIECE = 20_000;

/** How many plants are few: a query for more has a connection to itself. */
const FEW = 1_000;

const COMMA = 0x2c, OPEN = 0x5b, CLOSE = 0x5d;

/**
 * Opens a store on PostgreSQL. It connects when it is asked, so that the
 * database may be away meanwhile: it is unavailable then, which a client gets to
 * know within two seconds. `plant-store import` fills the database.
 *
 * @param options Which database, and who is told when it goes away.
 * @returns The store.
 * @throws {RangeError} When an address can't be used.
 * @throws {Error} When the package postgres is not installed, or when Deno denies
 * access to an address or to a variable that the package reads.
 */
export async function openPostgresStore(
  options: PostgresStoreOptions,
): Promise<PostgresStore> {
  const { url, readUrl, maxConnections: max = 10 } = options;
  const { onOutage, onRecovery } = options;
  if (!Number.isInteger(max) || max < 1) {
    throw new RangeError(`maxConnections must be from 1 on, not ${max}`);
  }
  const connect = await loadPostgres(url);
  const connectToStandby = readUrl === undefined
    ? undefined
    : await loadPostgres(readUrl);

  let isAway = false;
  const primary = createPool({
    connect,
    max,
    onEnd(error) {
      const wasAway = isAway;
      isAway = error !== undefined;
      if (isAway && !wasAway) onOutage?.(explain(error));
      if (!isAway && wasAway) onRecovery?.();
    },
  });

  let restingUntil = -Infinity;
  const standby = connectToStandby && createPool({
    connect: connectToStandby,
    max,
    onEnd(error) {
      if (error) restingUntil = performance.now() + STANDBY_REST;
    },
  });

  // Valid tokens alone are remembered, and forgotten at every change: what was
  // found before a change may come after it.
  const remembered = new Map<string, FoundUser>();
  let changes = 0;
  const listener = createListener(connect, () => {
    changes++;
    remembered.clear();
  });

  async function findToken(
    token: string,
    deadline: number,
  ): Promise<FoundUser | undefined> {
    const known = listener.isUpToDate ? remembered.get(token) : undefined;
    const before = changes;
    const found = known ??
      await primary.run(deadline, (sql) => findUser(sql, digest(token)));
    if (!found || found.expires <= Date.now()) return undefined;
    if (before === changes && remembered.size < MAX_REMEMBERED) {
      remembered.set(token, found);
    }
    return found;
  }

  /** Finds plants on the standby, where it has those of this version. */
  async function findOnStandby(
    pool: Pool,
    version: string,
    deadline: number,
    find: (sql: Sql) => Promise<Piece>,
    options: RunOptions,
  ): Promise<Piece | undefined> {
    if (performance.now() < restingUntil) return undefined;
    const early = Math.min(deadline, performance.now() + STANDBY_PATIENCE);
    try {
      const piece = await pool.run(early, find, options);
      return piece.version === version ? piece : undefined;
    } catch {
      return undefined;
    }
  }

  /** Lists what the user sees; undefined when another import has come meanwhile. */
  async function listOf(
    { access, version }: FoundUser,
    limit: number,
    deadline: number,
  ): Promise<EncodedList | undefined> {
    const pieces: Uint8Array[] = [];
    let left = limit, after = -1, until = deadline;
    for (;;) {
      // Most lists are short, whatever the limit: one that is may share.
      const most = Math.min(left, after === -1 ? FEW : PIECE), from = after;
      const find = (sql: Sql) => findPlants(sql, access, most, from);
      const options = { isLong: most > FEW };
      const piece: Piece = standby &&
          await findOnStandby(standby, version, until, find, options) ||
        await primary.run(until, find, options);
      if (piece.version !== version) return undefined;
      if (piece.count > 0) pieces.push(piece.json);
      left -= piece.count;
      if (piece.count < most || left === 0) return await encode(pieces);
      after = piece.last;
      until = performance.now() + PATIENCE;
    }
  }

  /** Lists what the user sees, the user and the plants from the same import. */
  async function list(
    token: string,
    user: FoundUser,
    limit: number,
    deadline: number,
  ): Promise<EncodedList> {
    let current: FoundUser | undefined = user;
    for (let tries = 0; current && tries < TRIES; tries++) {
      const found = await listOf(current, limit, deadline);
      if (found) return found;
      remembered.delete(token);
      current = await findToken(token, deadline);
    }
    throw new StoreUnavailableError("Other plants and users have come");
  }

  return {
    async authenticate(token) {
      const deadline = performance.now() + PATIENCE;
      const user = await findToken(token, deadline);
      if (!user) return undefined;
      return {
        user: user.user,
        list(limit = Infinity) {
          const now = performance.now();
          // A view that is kept for later has time of its own.
          const until = now < deadline ? deadline : now + PATIENCE;
          return list(token, user, limit, until);
        },
      };
    },
    async ready() {
      await primary.run(
        performance.now() + PATIENCE,
        (sql) => findPlants(sql, "all", 0, -1),
      );
    },
    close,
    [Symbol.asyncDispose]: close,
  };

  async function close(): Promise<void> {
    listener.close();
    const deadline = performance.now() + 2_000;
    await Promise.all([primary.close(deadline), standby?.close(deadline)]);
  }
}

/** Puts brackets around the pieces of an array, and commas between them. */
function encode(
  pieces: readonly Uint8Array[],
): EncodedList | Promise<EncodedList> {
  const bytes = pieces.reduce((sum, { length }) => sum + length + 1, 1);
  const body = new Uint8Array(Math.max(bytes, 2)).fill(COMMA);
  let offset = 1;
  for (const piece of pieces) {
    body.set(piece, offset);
    offset += piece.length + 1;
  }
  body[0] = OPEN;
  body[body.length - 1] = CLOSE;
  return addEtagFast(body);
}
