import { connect, type Socket } from "node:net";
import type postgres from "postgres";
import { parseDatabaseUrl } from "../database_url.ts";

/** One connection to a database. */
export interface Client {
  readonly sql: postgres.Sql;
  /** Whether it has ended, for whatever reason. */
  readonly isClosed: boolean;
  /** Ends it at once, also when the other side says nothing any more. */
  destroy(): void;
}

/** Opens connections to one database. */
export type Connect = (options?: ClientOptions) => Client;

/** What a connection is told. */
export interface ClientOptions {
  /** Is given what other connections have to say. */
  readonly onNotify?: () => void;
  /** Is called when the connection has ended. */
  readonly onClose?: () => void;
}

/** How long a connection may take to be made, in seconds. */
const CONNECT_TIMEOUT = 1;

/**
 * Loads the package that speaks to the database, and checks the address.
 *
 * @throws {Error} When the package is not installed, or when Deno denies access
 * to an address or to a variable that the package reads.
 * @throws {RangeError} When `url` is no address of a database.
 */
export async function loadPostgres(url: string): Promise<Connect> {
  // The package never gives up where there are several hosts.
  const addresses = parseDatabaseUrl(url);
  let create: typeof postgres;
  try {
    create = (await import("postgres")).default;
  } catch (cause) {
    throw new Error(
      'the package "postgres" is missing: install it with "npm install postgres"',
      { cause },
    );
  }
  for (const address of addresses) {
    // Reads the package's variables; opens no connection yet.
    const { host, port } = open(create, address, {}).sql.options;
    await requireNet(`${host}:${port}`);
  }
  let opened = 0;
  return (options = {}) =>
    open(create, addresses[opened++ % addresses.length]!, options);
}

/** Fails if Deno denies access to an address, because retrying would not help. */
async function requireNet(host: string): Promise<void> {
  const { Deno } = globalThis as { Deno?: DenoNamespace };
  const status = await Deno?.permissions.request({ name: "net", host });
  if (status && status.state !== "granted") {
    throw new Error(
      `cannot connect to "${host}"; run again with --allow-net=${host}`,
    );
  }
}

/** The part of `Deno` that is used, so that other runtimes do not need its types. */
interface DenoNamespace {
  readonly permissions: {
    request(
      permission: { readonly name: "net"; readonly host: string },
    ): Promise<{ readonly state: string }>;
  };
}

function open(
  create: typeof postgres,
  url: string,
  { onNotify, onClose }: ClientOptions,
): Client {
  let socket: Socket | undefined;
  let isClosed = false;
  const sql = create(url, {
    max: 1,
    connect_timeout: CONNECT_TIMEOUT,
    max_lifetime: null, // the package would end it, whoever asks meanwhile
    fetch_types: false,
    onnotice() {},
    onclose() {
      isClosed = true;
      onClose?.();
    },
    ...{
      no_subscribe: true,
      onnotify: onNotify,
      // Of its own, so that it can be destroyed: the package would wait for an
      // answer to its goodbye.
      socket: ({ host: [host], port: [port] }: Address) => {
        if (isClosed) throw new Error("the connection was given up");
        socket = connect({ host, port });
        return Object.assign(socket, { host }); // TLS asks for it
      },
    },
  });
  return {
    sql,
    get isClosed() {
      return isClosed;
    },
    destroy() {
      isClosed = true;
      sql.end({ timeout: 0 }).catch(() => {});
      socket?.destroy();
    },
  };
}

/** Where to connect to, as the package read it from the address. */
interface Address {
  readonly host: readonly [string];
  readonly port: readonly [number];
}

/** What the database or the way to it has failed of, in words, which never have a password in them. */
export function explain(error: unknown): Error {
  const { code = "", message } = error as { code?: string; message: string };
  if (code === "3F000" || code === "42P01") {
    return new Error(
      'the database has no plants yet: "plant-store import" brings them in',
      { cause: error },
    );
  }
  // Node has no message where a name has several addresses.
  return new Error(message || code, { cause: error });
}
