import { randomBytes } from "node:crypto";
import process from "node:process";
import { after } from "node:test";
import type { Plant } from "../../../mod.ts";
import {
  openPostgresStore,
  type PostgresStore,
} from "../../../src/stores/postgres.ts";
import { fill, query, startDatabaseServer, type Users } from "./server.ts";

/**
 * The URL of the server that removes the databases of these tests: the one of the
 * test that started this process, or a new one.
 */
export const SERVER: string = process.env["DATABASE_SERVER"] ??
  (await startDatabaseServer({ after })).url;

/** Creates a database, without tables unless there are plants, and returns its URL. */
export async function createDatabase(
  plants?: readonly Plant[],
  users?: Users,
): Promise<string> {
  const name = `plant_store_${randomBytes(8).toString("hex")}`;
  await query(SERVER, `create database ${name}`);
  const url = SERVER.replace(/[^/]*$/, name);
  if (plants) await fill(url, plants, users);
  return url;
}

/** Opens a store that is closed when the test ends. */
export async function openStoreFor(
  t: { after(fn: () => unknown): void },
  ...options: Parameters<typeof openPostgresStore>
): Promise<PostgresStore> {
  const store = await openPostgresStore(...options);
  t.after(() => store.close());
  return store;
}

/** Returns the JSON text of the list for a token. */
export async function list(
  store: PostgresStore,
  token = "token",
  limit?: number,
): Promise<string> {
  const viewer = await store.authenticate(token);
  return JSON.stringify(await viewer!.list(limit));
}
