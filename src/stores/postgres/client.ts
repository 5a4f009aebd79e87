// @ts-types="npm:@types/pg@^8.23.1"
import type pg from "pg";
import { PROGRAM } from "../catalog/program.ts";
import { parseDatabaseUrl } from "./database_url.ts";

/** Runs queries, each on any connection of a pool. */
export type Pool = pg.Pool;

/** Runs queries on one connection. */
export type Client = pg.ClientBase;

/**
 * Loads the npm package `pg` and creates a pool of connections. A connection opens
 * when a query needs one.
 *
 * @throws {RangeError} If the URL is invalid.
 * @throws {Error} If the package is not installed, if a parameter of the URL is
 * invalid, or if Deno denies access to a host or to an environment variable that
 * the package reads.
 */
export async function createPool(
  url: string,
  options: pg.PoolConfig,
): Promise<Pool> {
  const parsed = parseDatabaseUrl(url);
  parsed.searchParams.set("uselibpqcompat", "true"); // sslmode works as in psql
  const config = { ...options, connectionString: parsed.href };
  const { Client, Pool } = await loadPg();
  const { port } = new Client(config); // throws if a parameter is invalid
  await requireNet(`${parsed.hostname}:${port}`);
  const pool = new Pool(config);
  pool.on("error", () => {}); // the pool replaces idle connections that fail
  return pool;
}

/** Throws if Deno denies access to a host, because retrying would not help. */
async function requireNet(host: string) {
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

async function loadPg(): Promise<typeof pg> {
  try {
    // @ts-types="npm:@types/pg@^8.23.1"
    return (await import("pg")).default;
  } catch (cause) {
    throw new Error('cannot load the package "pg"; run "npm install pg"', {
      cause,
    });
  }
}

/** Returns an error with a helpful message instead of a cryptic or empty one. */
export function explainDatabaseError(error: unknown): Error {
  const { code, message } = error as { code?: string; message: string };
  // Node.js leaves the message empty if a host has several addresses.
  let text = message || code;
  if (code === "3F000" || code === "42P01") {
    text = `the database is empty; to fill it, run: ${PROGRAM} import`;
  } else if (code === "42P07" || code === "42703") { // a table exists, or lacks a column
    text =
      `an earlier version created the tables; export the data with that version, drop the schema "plant_store", then run: ${PROGRAM} import`;
  }
  return text === message ? error as Error : new Error(text, { cause: error });
}
