import { connect, type Socket } from "node:net";
import type postgres from "postgres";
import { parseDatabaseUrl } from "../database_url.ts";

/** Runs statements, inside or outside a transaction. */
export type Sql = postgres.ISql;

/** A connection to a database. It opens on the first statement. */
export interface Client {
  readonly sql: postgres.Sql;
  /** Whether the connection is closed, for any reason. It never reopens. */
  readonly isClosed: boolean;
  /** Closes the connection immediately, even if the database does not respond. */
  destroy(): void;
}

/**
 * Creates a connection to a database.
 *
 * @param onNotify Called for each notification, and when the connection closes,
 * because notifications may have been lost.
 */
export type Connect = (onNotify?: () => void) => Client;

/** The maximum time to open a connection, in seconds. */
const CONNECT_TIMEOUT = 1;

/**
 * Loads the npm package `postgres` and validates the URL of a database. Does not
 * connect yet.
 *
 * @returns A function that creates a connection, cycling through the hosts in the
 * URL.
 * @throws {RangeError} If the URL is invalid.
 * @throws {Error} If the package is not installed, or if Deno denies access to
 * a host or to an environment variable that the package reads.
 */
export async function loadPostgres(url: string): Promise<Connect> {
  // With several hosts in one URL, the package retries forever.
  const addresses = parseDatabaseUrl(url);
  let create: typeof postgres;
  try {
    create = (await import("postgres")).default;
  } catch (cause) {
    throw new Error(
      'cannot load the package "postgres"; run "npm install postgres"',
      { cause },
    );
  }
  for (const address of addresses) {
    const { host, port } = create(address).options; // reads the environment
    await requireNet(`${host}:${port}`);
  }
  let count = 0;
  return (onNotify) =>
    createClient(create, addresses[count++ % addresses.length]!, onNotify);
}

/** Throws if Deno denies access to a host, because retrying would not help. */
async function requireNet(host: string): Promise<void> {
  // Deno's types are not available on other runtimes.
  const { Deno } = globalThis as {
    Deno?: { permissions: { request(_: object): Promise<{ state: string }> } };
  };
  const status = await Deno?.permissions.request({ name: "net", host });
  if (status && status.state !== "granted") {
    throw new Error(
      `cannot connect to "${host}"; run again with --allow-net=${host}`,
    );
  }
}

function createClient(
  create: typeof postgres,
  url: string,
  onNotify?: () => void,
): Client {
  let socket: Socket | undefined;
  let isClosed = false;
  const options = {
    max: 1,
    connect_timeout: CONNECT_TIMEOUT,
    max_lifetime: null, // otherwise, old connections close during queries
    fetch_types: false,
    no_subscribe: true,
    onnotice() {},
    onnotify: onNotify,
    onclose() {
      isClosed = true;
      onNotify?.();
    },
    // The package cannot close a connection that hangs, so keep its socket to
    // destroy it.
    socket({ host: [host], port: [port] }: { host: [string]; port: [number] }) {
      if (isClosed) throw new Error("the connection is closed");
      socket = connect({ host, port });
      return Object.assign(socket, { host }); // for the TLS server name
    },
  };
  const sql = create(url, options);
  return {
    sql,
    get isClosed() {
      return isClosed;
    },
    destroy() {
      isClosed = true;
      socket?.destroy();
    },
  };
}

/** Returns an error with a helpful message instead of a cryptic or empty one. */
export function explain(error: unknown): Error {
  const { code, message } = error as { code?: string; message: string };
  if (code === "3F000" || code === "42P01") {
    return new Error(
      'the database is empty; run "plant-store import" to fill it',
      { cause: error },
    );
  }
  // Node.js leaves the message empty if a host has several addresses.
  return message ? error as Error : new Error(code, { cause: error });
}
