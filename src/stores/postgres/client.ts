import { connect, type Socket } from "node:net";
import type postgres from "postgres";

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
 * @throws {Error} When the package is not installed.
 * @throws {RangeError} When `url` is no address of a database. Neither message
 * shows it: there may be a password in it.
 */
export async function loadPostgres(url: string): Promise<Connect> {
  if (!isDatabaseUrl(url)) {
    throw new RangeError(
      "the address of the database must be like postgres://USER:PASSWORD@HOST:PORT/DATABASE",
    );
  }
  let create: typeof postgres;
  try {
    create = (await import("postgres")).default;
  } catch (cause) {
    throw new Error(
      'the package "postgres" is missing: install it with "npm install postgres"',
      { cause },
    );
  }
  /** How many connections were opened: of several hosts, each takes the next one. */
  let opened = 0;
  return (options = {}) => open(create, url, options, () => opened++);
}

/** Whether `text` is the address of a PostgreSQL database. */
export function isDatabaseUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\/[^/?#]+/.test(text) && hasPath(text);
}

/** Whether it can be taken apart; several hosts with commas between them can't as a whole. */
function hasPath(text: string): boolean {
  return URL.canParse(text.replace(/,[^/?#]*/, ""));
}

function open(
  create: typeof postgres,
  url: string,
  { onNotify, onClose }: ClientOptions,
  next: () => number,
): Client {
  let socket: Socket | undefined;
  let isClosed = false;
  const sql = create(url, {
    max: 1,
    connect_timeout: CONNECT_TIMEOUT,
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
      socket: ({ host, port, path }: Address) => {
        if (isClosed) throw new Error("the connection was given up");
        const at = next() % host.length;
        socket = path
          ? connect(path)
          : connect({ host: host[at]!, port: port[at]! });
        return Object.assign(socket, { host: host[at] }); // TLS asks for it
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
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | false;
}
