import { randomBytes } from "node:crypto";
import process from "node:process";
import postgres from "postgres";
import type { Access, EncodedList, Plant } from "../../../mod.ts";
import { encodePlants } from "../../../src/domain/encoded_plants.ts";
import type { TokenRecord } from "../../../src/domain/user.ts";
import {
  openPostgresStore,
  type PostgresStore,
} from "../../../src/stores/postgres.ts";
import { withDatabase } from "../../../src/stores/postgres/admin.ts";
import {
  type Client,
  loadPostgres,
} from "../../../src/stores/postgres/client.ts";

/** A database for one test. */
export interface Database {
  readonly url: string;
  /** Opens a connection like those of the commands. */
  connect(): Promise<Client>;
  /** Replaces all plants and users. */
  fill(
    plants: readonly Plant[],
    users: Readonly<Record<string, User>>,
  ): Promise<void>;
  remove(): Promise<void>;
}

export interface User {
  readonly plants: Access;
  readonly tokens: readonly TokenRecord[];
}

/** The hooks of a test. */
interface Hooks {
  after(fn: () => unknown): void;
}

/** Creates a database without tables, by default on the server `DATABASE_URL`. */
export async function createDatabase(
  server: string = process.env["DATABASE_URL"]!,
): Promise<Database> {
  const name = `plant_store_${randomBytes(8).toString("hex")}`;
  const sql = postgres(server, { max: 1, onnotice() {} });
  await sql.unsafe(`create database ${name}`);
  const url = server.replace(/\/[^/]*$/, `/${name}`);
  return {
    url,
    connect: async () => (await loadPostgres(url))(),
    async fill(plants, users) {
      const records = new Map(Object.entries(users));
      await withDatabase(
        url,
        ({ replace }) => replace(encodePlants(plants), records),
      );
    },
    async remove() {
      await sql.unsafe(`drop database ${name} with (force)`);
      await sql.end();
    },
  };
}

/** Creates a database that is removed when the test ends. */
export async function createDatabaseFor(t: Hooks): Promise<Database> {
  const database = await createDatabase();
  t.after(() => database.remove());
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
  return decode(await (await store.authenticate(token))!.list(limit));
}

/** Returns the JSON text of a list. */
export function decode(list: unknown): string {
  const { body } = list as EncodedList;
  return new TextDecoder().decode(body as Uint8Array);
}
