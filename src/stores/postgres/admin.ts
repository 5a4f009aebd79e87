import type { Plant } from "../../domain/plant.ts";
import type { UserRecord, UserRecords, UserUpdate } from "../catalog/user.ts";
import { type Client, createPool, explainDatabaseError } from "./client.ts";
import { type PlantRow, toPlant } from "./queries.ts";
import { CREATE_TABLES } from "./schema.ts";

/** The database operations that commands use. */
export interface Admin {
  /** Reads all users in order. */
  readUsers(): Promise<UserRecords>;
  /** Changes one user. Creates the tables if necessary. */
  updateUser(name: string, update: UserUpdate): Promise<void>;
  /** Replaces all plants and users. Creates the tables if necessary. */
  replace(plants: readonly Plant[], users: UserRecords): Promise<void>;
  /** Reads all plants and users from the same snapshot. */
  readAll(): Promise<{ plants: readonly Plant[]; users: UserRecords }>;
}

const LOCK = 7_526_879_021; // makes changes run one at a time
const BATCH_SIZE = 8_192; // plants per insert statement

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
  const pool = await createPool(url, { connectionTimeoutMillis: 1_000 });
  let client;
  try {
    client = await pool.connect();
    client.on("error", () => {}); // the query that needs the connection fails, too
    return await task(createAdmin(client));
  } catch (error) {
    throw explainDatabaseError(error);
  } finally {
    client?.release(true); // closes the connection, which ends its transaction
    await pool.end();
  }
}

function createAdmin(client: Client): Admin {
  return {
    readUsers: () => selectUsers(client),
    updateUser: (name, update) =>
      change(client, async () => {
        const users = await selectUsers(client, name);
        const record = update(users.get(name));
        const { rows: [old] } = await client.query<{ id: string }>(
          "delete from plant_store.users where name = $1 returning id",
          [name],
        );
        if (record) await addUsers(client, new Map([[name, record]]), old?.id);
      }),
    replace: (plants, users) =>
      change(client, async () => {
        await client.query(`
          update plant_store.current_import set id = gen_random_uuid();
          delete from plant_store.plants;
          delete from plant_store.users`);
        for (let from = 0; from < plants.length; from += BATCH_SIZE) {
          const batch = plants.slice(from, from + BATCH_SIZE);
          await client.query(ADD_PLANTS, [from, JSON.stringify(batch)]);
        }
        await addUsers(client, users);
        await client.query(`
          analyze plant_store.plants, plant_store.users, plant_store.tokens`);
      }),
    async readAll() {
      await client.query("begin isolation level repeatable read read only");
      const { rows } = await client.query<PlantRow>(
        "select name, tag from plant_store.plants order by position",
      );
      return { plants: rows.map(toPlant), users: await selectUsers(client) };
    },
  };
}

/** Creates the tables if necessary, and runs a task in the same transaction. */
async function change(client: Client, task: () => Promise<void>) {
  await client.query("begin");
  await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
  const { rows: [found] } = await client.query<{ exists: boolean }>(
    "select to_regclass('plant_store.current_import') is not null as exists",
  );
  if (!found!.exists) await client.query(CREATE_TABLES);
  await task();
  await client.query("commit");
}

const ADD_PLANTS = `
  insert into plant_store.plants (position, name, tag)
  select $1::integer + number - 1, name, tag
  from rows from (json_to_recordset($2) as (name text, tag text))
    with ordinality as plant (name, tag, number)`;

/** Selects all users in order, or only the user named `name`. */
async function selectUsers(client: Client, name: string | null = null) {
  const { rows } = await client.query<UserRecord & { readonly name: string }>(
    `select name, access as plants, coalesce((
      select json_agg(
        json_strip_nulls(json_build_object(
          'sha256', sha256, 'created', created, 'expires', expires
        )) order by tokens.id
      )
      from plant_store.tokens where user_id = users.id
    ), '[]') as tokens
    from plant_store.users
    where $1::text is null or name = $1
    order by users.id`,
    [name],
  );
  return new Map(rows.map(({ name, ...record }) => [name, record]));
}

/**
 * Adds users in order.
 *
 * @param id The ID of the user that `users` replaces, if any.
 */
async function addUsers(
  client: Client,
  users: UserRecords,
  id: string | null = null,
): Promise<void> {
  const records = Array.from(users, ([name, user]) => ({ name, ...user }));
  await client.query(
    `with given as (
      select coalesce($1, nextval('plant_store.users_id_seq')) as id,
        name, plants as access, tokens
      from json_to_recordset($2)
        as record (name text, plants json, tokens json)
    ), added as (
      insert into plant_store.users (id, name, access) overriding system value
      select id, name, access from given
    )
    insert into plant_store.tokens (user_id, sha256, created, expires)
    select id, token.* from given
    cross join lateral json_to_recordset(tokens)
      as token (sha256 text, created text, expires text)`,
    [id, JSON.stringify(records)],
  );
}
