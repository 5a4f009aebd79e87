import type { UserRecord } from "../../domain/user.ts";
import type { UserRecords } from "../tokens_file.ts";
import type { Sql } from "./client.ts";

/** Reads all users in order, or only the user named `name`. */
export async function readUsers(
  sql: Sql,
  name: string | null = null,
): Promise<UserRecords> {
  const rows = await sql<(UserRecord & { readonly name: string })[]>`
    select name, plants::json, coalesce((
      select json_agg(
        json_strip_nulls(json_build_object(
          'sha256', sha256, 'created', created, 'expires', expires
        )) order by tokens.id
      )
      from plant_store.tokens where user_id = users.id
    ), '[]') as tokens
    from plant_store.users
    where ${name}::text is null or name = ${name}
    order by users.id`;
  return new Map(rows.map(({ name, ...record }) => [name, record]));
}

/** Adds a user or replaces one in place. Removes the user if there is no record. */
export async function writeUser(
  sql: Sql,
  name: string,
  record: UserRecord | undefined,
): Promise<void> {
  const [old] = await sql<{ id: string }[]>`
    delete from plant_store.users where name = ${name} returning id`;
  if (record) await addUsers(sql, new Map([[name, record]]), old?.id);
}

/**
 * Adds users in order.
 *
 * @param id The ID of the user that `users` replaces, if any.
 */
export async function addUsers(
  sql: Sql,
  users: UserRecords,
  id: string | null = null,
): Promise<void> {
  const records = Array.from(users, ([name, user]) => ({ name, ...user }));
  await sql`
    with given as (
      select coalesce(${id}::bigint, nextval('plant_store.users_id_seq')) as id,
        name, plants, tokens
      from json_to_recordset(${JSON.stringify(records)}::text::json)
        as record (name text, plants json, tokens json)
    ), added as (
      insert into plant_store.users (id, name, plants) overriding system value
      select id, name, plants::text from given
    )
    insert into plant_store.tokens (user_id, sha256, created, expires)
    select id, token.* from given
    cross join lateral json_to_recordset(tokens)
      as token (sha256 text, created text, expires text)`;
}
