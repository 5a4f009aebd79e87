import type { Access } from "../../domain/access.ts";
import type { UserRecord } from "../../domain/user.ts";
import { checkMark, createMark } from "./mark.ts";
import type { Sql } from "./schema.ts";

/** Whom a token stands for, and which content was the current one then. */
export interface FoundUser {
  readonly user: string;
  readonly access: Access;
  /** The moment from which the token is refused, in milliseconds since 1970. */
  readonly expires: number;
  /** Which import was the last one. */
  readonly version: string;
}

/** Finds whom a token stands for, expired or not, by its digest. */
export async function findUser(
  sql: Sql,
  sha256: string,
): Promise<FoundUser | undefined> {
  const mark = createMark();
  const [row] = await sql<[
    {
      mark: number;
      name: string | null;
      plants: string;
      expires: string | null;
      version: string;
    },
  ]>`
    select ${mark}::integer as mark, name, plants, expires, version
    from plant_store.content
    left join (
      plant_store.tokens join plant_store.users on users.id = user_id
    ) on sha256 = ${sha256}`;
  checkMark(mark, row.mark);
  if (row.name === null) return undefined;
  return {
    user: row.name,
    access: JSON.parse(row.plants),
    expires: row.expires === null ? Infinity : Date.parse(row.expires),
    version: row.version,
  };
}

/** A user as the database has it. */
interface Row {
  readonly name: string;
  readonly plants: string;
  /** The tokens as JSON. */
  readonly tokens: string;
}

/** Reads all users in their order, or the one who is called `name`. */
export async function readUsers(
  sql: Sql,
  name: string | null = null,
): Promise<Map<string, UserRecord>> {
  const rows = await sql<Row[]>`
    select name, plants, coalesce((
      select json_agg(
        json_strip_nulls(json_build_object(
          'sha256', sha256, 'created', created, 'expires', expires
        )) order by tokens.id
      )
      from plant_store.tokens where user_id = users.id
    ), '[]')::text as tokens
    from plant_store.users
    where ${name}::text is null
      or hashtextextended(name, 0) = hashtextextended(${name}::text, 0)
        and name = ${name}::text
    order by users.id`;
  return new Map(
    rows.map(({ name, plants, tokens }) => [
      name,
      { plants: JSON.parse(plants), tokens: JSON.parse(tokens) },
    ]),
  );
}

/** Puts `record` in the place of what the user of this name was; removes the user without one. */
export async function writeUser(
  sql: Sql,
  name: string,
  record: UserRecord | undefined,
): Promise<void> {
  const place = sql`hashtextextended(name, 0) = hashtextextended(${name}, 0)
    and name = ${name}`;
  if (!record) {
    await sql`delete from plant_store.users where ${place}`;
    return;
  }
  const [row] = await sql<{ id: string }[]>`
    update plant_store.users set plants = ${toText(record.plants)}
    where ${place} returning id`;
  if (!row) {
    await addUsers(sql, new Map([[name, record]]));
    return;
  }
  await sql`delete from plant_store.tokens where user_id = ${row.id}`;
  await sql`
    insert into plant_store.tokens (user_id, sha256, created, expires)
    select ${row.id}::bigint, sha256, created, expires
    from json_to_recordset(${JSON.stringify(record.tokens)}::text::json)
      as token (sha256 text, created text, expires text)`;
}

/** Adds users that are not there yet, in their order. */
export async function addUsers(
  sql: Sql,
  users: ReadonlyMap<string, UserRecord>,
): Promise<void> {
  const given = Array.from(users, ([name, { plants, tokens }]) => ({
    name,
    plants: toText(plants),
    tokens,
  }));
  await sql`
    with given as (
      select number, "user" ->> 'name' as name, "user" ->> 'plants' as plants,
        "user" -> 'tokens' as tokens
      from json_array_elements(${JSON.stringify(given)}::text::json)
        with ordinality as each ("user", number)
    ), added as (
      insert into plant_store.users (name, plants)
      select name, plants from given order by number
      returning id, name
    )
    insert into plant_store.tokens (user_id, sha256, created, expires)
    select added.id, token ->> 'sha256', token ->> 'created', token ->> 'expires'
    from given
    join added using (name)
    cross join lateral json_array_elements(given.tokens)
      with ordinality as each (token, at)
    order by number, at`;
}

/** An access as it is kept, its keys always in the same order. */
function toText(access: Access): string {
  if (access === "all") return JSON.stringify(access);
  const { tags, names } = access;
  return JSON.stringify({ tags, names });
}
