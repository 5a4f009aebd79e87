import { randomBytes } from "node:crypto";
import process from "node:process";
import pg from "pg";
import type { Access, Plant } from "../../../mod.ts";
import type { TokenRecord } from "../../../src/stores/catalog/user.ts";
import {
  openPostgresStore,
  type PostgresStore,
} from "../../../src/stores/postgres.ts";
import { withDatabase } from "../../../src/stores/postgres/admin.ts";
import { digest } from "../../contract/stores.ts";

/** A database for one test. */
export interface Database {
  readonly url: string;
  /** Replaces all plants and users. */
  fill(plants: readonly Plant[], users?: Users): Promise<void>;
  remove(): Promise<void>;
}

export type Users = Readonly<
  Record<
    string,
    { readonly plants: Access; readonly tokens: readonly TokenRecord[] }
  >
>;

/** A user who can see all plants and has the token `token`. */
const CURATOR: Users = {
  curator: { plants: "all", tokens: [{ sha256: digest("token") }] },
};

/** The hooks of a test. */
interface Hooks {
  after(fn: () => unknown): void;
}

/** Runs a task with a connection. */
export async function query<T>(
  url: string,
  task: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end();
  }
}

/** Creates a database without tables, by default on the server `DATABASE_URL`. */
export async function createDatabase(
  server: string = process.env["DATABASE_URL"]!,
): Promise<Database> {
  const name = `plant_store_${randomBytes(8).toString("hex")}`;
  await query(server, (sql) => sql.query(`create database ${name}`));
  const url = server.replace(/\/[^/]*$/, `/${name}`);
  return {
    url,
    async fill(plants, users = CURATOR) {
      const records = new Map(Object.entries(users));
      await withDatabase(
        url,
        ({ replace }) => replace(plants, records),
      );
    },
    async remove() {
      const drop = `drop database ${name} with (force)`;
      await query(server, (sql) => sql.query(drop));
    },
  };
}

/** Creates a database with plants that is removed when the test ends. */
export async function createDatabaseFor(
  t: Hooks,
  plants: readonly Plant[],
  users?: Users,
): Promise<Database> {
  const database = await createDatabase();
  t.after(() => database.remove());
  await database.fill(plants, users);
  return database;
}

/** Opens a store that is closed when the test ends. */
export async function openStoreFor(
  t: Hooks,
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
