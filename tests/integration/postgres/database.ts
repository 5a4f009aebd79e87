import { randomBytes } from "node:crypto";
import process from "node:process";
import postgres from "postgres";
import type { Access, Plant } from "../../../mod.ts";
import { encodePlants } from "../../../src/domain/encoded_plants.ts";
import type { TokenRecord } from "../../../src/domain/user.ts";
import { withDatabase } from "../../../src/stores/postgres/admin.ts";
import {
  type Client,
  loadPostgres,
} from "../../../src/stores/postgres/client.ts";

/** A database of a test's own, on the server that `DATABASE_URL` names. */
export interface Database {
  readonly url: string;
  /** A connection of the kind that the commands use. */
  connect(): Promise<Client>;
  /** Puts other plants and users in the place of what is there. */
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

/** Creates a database without tables. */
export async function createDatabase(
  server: string = process.env["DATABASE_URL"]!,
): Promise<Database> {
  const name = `plant_store_${randomBytes(8).toString("hex")}`;
  const sql = postgres(server, { max: 1, onnotice() {} });
  await sql.unsafe(`create database ${name}`);
  const url = server.replace(/\/[^/]*$/, `/${name}`);
  const connect = async () => (await loadPostgres(url))();
  return {
    url,
    connect,
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
