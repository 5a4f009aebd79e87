// @ts-types="npm:@types/pg@^8.23.1"
import type pg from "pg";

/** The maximum time to open a connection, which takes several round trips, and for a query. */
const GIVE_UP_MS = 10_000;

// Deno downloads what the string of an import names, even if it is never imported.
const DENO_PG: string = "npm:pg@8";
const isDeno = "Deno" in globalThis;

/**
 * Loads the npm package `pg`, an optional peer dependency.
 *
 * @throws {Error} If it is not installed, or if Deno denies access to an environment
 * variable that it reads.
 */
export async function loadPg(): Promise<typeof pg> {
  try {
    return (await import(isDeno ? DENO_PG : "pg")).default;
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error('cannot load the package "pg"; run "npm install pg"');
  }
}

/** A URL of a database. Unencoded, `@` and `#` would make a password part of the host. */
const DATABASE_URL =
  /^postgres(?:ql)?:\/\/(?:[^/?#\s]*@)?[^/?#\s@,]*(?:[/?][^@#\s]*)?$/i;

/**
 * Validates the URL of a database. The message does not contain it.
 *
 * @param name The name of the option, for messages.
 * @throws {RangeError} If the URL is invalid.
 */
export function checkDatabaseUrl(url: string, name: string): string {
  // `pg` accepts a URL without a host, whose query names a Unix socket.
  const isValid = URL.canParse(url.replace("@/", "@localhost/"));
  if (isValid && DATABASE_URL.test(url)) return url;
  throw new RangeError(
    `${name} must be a URL such as postgres://USER:PASSWORD@HOST/DATABASE, with one host, without quotes or spaces, and with other special characters percent-encoded`,
  );
}

function configure(url: string): pg.ClientConfig {
  return {
    // The driver treats these modes alike, and warns of them, although hosters use them.
    connectionString: url.includes("uselibpqcompat=true") ? url : url.replace(
      /(?<=[?&]sslmode=)(?:prefer|require|verify-ca)\b/,
      "verify-full",
    ),
    connectionTimeoutMillis: GIVE_UP_MS,
    keepAlive: true, // detects a lost server, and keeps firewalls open
    keepAliveInitialDelayMillis: 10_000,
  };
}

/**
 * Creates a connection, which is not open yet.
 *
 * @throws {RangeError} If the URL is invalid.
 */
export function createClient({ Client }: typeof pg, url: string): pg.Client {
  try {
    return new Client(configure(url));
  } catch (error) {
    // Other errors are about a file that the URL refers to.
    if (!(error instanceof URIError)) throw error;
    throw new RangeError("url contains an invalid percent-encoding");
  }
}

/** Creates a pool of up to `max` connections, which are opened when they are needed. */
export function createPool(
  { Pool }: typeof pg,
  url: string,
  max: number,
): pg.Pool {
  const pool = new Pool({
    ...configure(url),
    max,
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: 300, // follows an address that moves to another server
    query_timeout: GIVE_UP_MS,
  });
  pool.on("error", () => {}); // a connection that is lost while it is idle is removed
  return pool;
}

/** The message for a database without plants. */
export const NO_IMPORT =
  'it has no plants from "plant-store import", or row-level security hides them; if it belongs to another program, use another database';

/** Messages for errors with a cryptic message or code. */
const MESSAGES: ReadonlyMap<string, string> = new Map([
  ["3F000", NO_IMPORT], // no schema
  ["42P01", NO_IMPORT], // no table
  ["timeout expired", "cannot connect to the database in time"],
  [
    "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string",
    "the database requires a password, and the URL has none",
  ],
]);

export function explainDatabaseError(error: unknown): Error {
  const { code = "", message } = error as Error & { readonly code?: string };
  // The message is empty if a host has several addresses.
  const text = MESSAGES.get(code) ?? MESSAGES.get(message) ?? (message || code);
  return new Error(text, { cause: error });
}
