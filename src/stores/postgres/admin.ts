import type { Plant } from "../../domain/plant.ts";
import type { UserRecords, UserUpdate } from "../tokens_file.ts";
import { type Client, explain, loadPostgres, type Sql } from "./client.ts";
import { CREATE_TABLES } from "./schema.ts";
import { addUsers, readUsers, writeUser } from "./users.ts";

/** The database operations that commands use. */
export interface Admin {
  /** Reads all users in order. */
  readUsers(): Promise<UserRecords>;
  /** Changes one user. Creates the tables if necessary. */
  updateUser(name: string, update: UserUpdate): Promise<void>;
  /** Replaces all plants and users. Creates the tables if necessary. */
  replace(plants: readonly Plant[], users: UserRecords): Promise<void>;
  /** Reads all plants and users from the same snapshot. */
  readAll(): Promise<Content>;
}

/** The contents of a database. */
export interface Content {
  /** The JSON of each plant, in catalog order. */
  readonly plants: readonly string[];
  readonly users: UserRecords;
}

/** The key of the advisory lock that makes changes run one at a time. */
const LOCK = 7_526_879_021;

/** The maximum number of plants per insert statement. */
const BATCH_SIZE = 8_192;

/**
 * Runs a task on its own connection to a database.
 *
 * @throws {RangeError} If the URL is invalid.
 * @throws {Error} If the task fails or the database is unavailable.
 */
export async function withDatabase<T>(
  url: string,
  task: (admin: Admin) => Promise<T>,
): Promise<T> {
  const connect = await loadPostgres(url);
  const client = connect();
  const { sql } = client;
  try {
    return await task({
      readUsers: () => readUsers(sql),
      updateUser: (name, update) =>
        change(client, async (sql) => {
          const users = await readUsers(sql, name);
          await writeUser(sql, name, update(users.get(name)));
        }),
      replace: (plants, users) =>
        change(client, async (sql) => {
          const [{ version }] = await sql<[{ version: string }]>`
            update plant_store.content set version = version + 1
            returning version`;
          await sql`delete from plant_store.plants`;
          await addPlants(sql, version, plants);
          await sql`delete from plant_store.users`;
          await addUsers(sql, users);
          await sql`
            analyze plant_store.plants, plant_store.users, plant_store.tokens`;
        }),
      readAll: () =>
        sql.begin("isolation level repeatable read read only", async (sql) => {
          const rows = await sql<{ json: string }[]>`
            select json from plant_store.plants order by content, position`;
          const plants = rows.map(({ json }) => json);
          return { plants, users: await readUsers(sql) };
        }),
    });
  } catch (error) {
    throw explain(error);
  } finally {
    client.destroy();
  }
}

/** Creates the tables if necessary, and runs a task in the same transaction. */
async function change(
  { sql }: Client,
  task: (sql: Sql) => Promise<void>,
): Promise<void> {
  await sql.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`;
    const [{ exists }] = await sql<[{ exists: boolean }]>`
      select to_regclass('plant_store.content') is not null as exists`;
    if (!exists) await sql.unsafe(CREATE_TABLES);
    await task(sql);
  });
}

async function addPlants(
  sql: Sql,
  version: string,
  plants: readonly Plant[],
): Promise<void> {
  for (let from = 0; from < plants.length; from += BATCH_SIZE) {
    const text = JSON.stringify(plants.slice(from, from + BATCH_SIZE));
    // Unlike jsonb, the type json preserves the text of each plant.
    await sql`
      insert into plant_store.plants (content, position, name, tag, json)
      select ${version}::bigint, ${from}::integer + number - 1,
        plant ->> 'name', plant ->> 'tag', plant::text
      from json_array_elements(${text}::text::json)
        with ordinality as each (plant, number)`;
  }
}
