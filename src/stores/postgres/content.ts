import type { EncodedPlants } from "../../domain/encoded_plants.ts";
import type { UserRecord } from "../../domain/user.ts";
import type { Client } from "./client.ts";
import { change, type Sql } from "./schema.ts";
import { addUsers, readUsers } from "./users.ts";

/** All that a database holds. */
export interface Content {
  /** The JSON of each plant in UTF-8, in catalogue order. */
  readonly plants: readonly string[];
  readonly users: ReadonlyMap<string, UserRecord>;
}

/** How many plants are written at once. */
const BATCH = 8_192;

/**
 * Puts other plants and users in the place of all that the database holds, in
 * one transaction: until its end everybody sees what was there before.
 */
export async function replaceContent(
  client: Client,
  plants: EncodedPlants,
  users: ReadonlyMap<string, UserRecord>,
): Promise<void> {
  await change(client, async (sql) => {
    const [{ version }] = await sql<[{ version: string }]>`
      update plant_store.content set version = version + 1
      returning version`;
    await sql`delete from plant_store.plants`;
    await addPlants(sql, version, plants);
    await sql`delete from plant_store.users`;
    await addUsers(sql, users);
    await sql`analyze plant_store.plants, plant_store.users, plant_store.tokens`;
  });
}

async function addPlants(
  sql: Sql,
  version: string,
  { bytes, starts, size }: EncodedPlants,
): Promise<void> {
  const decoder = new TextDecoder();
  for (let from = 0; from < size; from += BATCH) {
    const to = Math.min(from + BATCH, size);
    // The database takes the JSON of each plant out as it stands there.
    const text = decoder.decode(bytes.subarray(starts[from], starts[to]! - 1));
    await sql`
      insert into plant_store.plants (content, position, name, tag, json)
      select ${version}::bigint, ${from}::integer + number - 1,
        plant ->> 'name', plant ->> 'tag', plant::text
      from json_array_elements(${`[${text}]`}::text::json)
        with ordinality as each (plant, number)`;
  }
}

/** Reads all that the database holds, of one moment. */
export async function readAll({ sql }: Client): Promise<Content> {
  return await sql.begin(
    "isolation level repeatable read read only",
    async (transaction) => {
      const sql = transaction as unknown as Sql;
      const rows = await sql<{ json: string }[]>`
        select json from plant_store.plants order by content, position`;
      return {
        plants: rows.map(({ json }) => json),
        users: await readUsers(sql),
      };
    },
  ) as Content;
}
