import type { Client } from "./client.ts";

/** A connection inside of a transaction, or outside. */
export type Sql = Client["sql"];

/** The channel on which the database tells that users, tokens or plants have changed. */
export const CHANNEL = "plant_store";

/** The lock under which the content is changed, so that changes follow one another. */
const LOCK = 7_526_879_021;

/**
 * What makes the tables, a step for each version. A step that was released is
 * never changed: another one follows it.
 *
 * - Plants are found by a hash of their tag or name, since an index takes no
 *   long text, and compared whole then.
 * - Each import's plants have a number of their own, so that those of the one
 *   before are never met on the way, nor mixed up with them.
 */
const MIGRATIONS: readonly string[] = [`
  create table plant_store.content (
    version bigint not null
  );
  insert into plant_store.content values (0);

  create table plant_store.plants (
    content bigint not null,
    position integer not null,
    name text not null,
    tag text,
    json text not null,
    primary key (content, position)
  );
  create index plants_by_tag on plant_store.plants
    (content, hashtextextended(tag, 0), position) where tag is not null;
  create index plants_by_name on plant_store.plants
    (content, hashtextextended(name, 0), position);

  create table plant_store.users (
    id bigint generated always as identity primary key,
    name text not null,
    plants text not null
  );
  create index users_by_name on plant_store.users (hashtextextended(name, 0));

  create table plant_store.tokens (
    id bigint generated always as identity primary key,
    user_id bigint not null references plant_store.users on delete cascade,
    sha256 text not null unique check (sha256 ~ '^[0-9a-f]{64}$'),
    created text,
    expires text
  );
  create index tokens_by_user on plant_store.tokens (user_id, id);

  create function plant_store.tell() returns trigger language plpgsql as $$
  begin
    perform pg_notify('${CHANNEL}', '');
    return null;
  end $$;
  create trigger tell after insert or update or delete or truncate
    on plant_store.content for each statement execute function plant_store.tell();
  create trigger tell after insert or update or delete or truncate
    on plant_store.users for each statement execute function plant_store.tell();
  create trigger tell after insert or update or delete or truncate
    on plant_store.tokens for each statement execute function plant_store.tell();
`];

/**
 * Runs `task` in a transaction that no other change runs beside, with the tables
 * as this version needs them.
 *
 * @throws {Error} When a later version has made the tables.
 */
export async function change<T>(
  { sql }: Client,
  task: (sql: Sql) => Promise<T>,
): Promise<T> {
  return await sql.begin(async (transaction) => {
    const sql = transaction as unknown as Sql;
    await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`;
    await migrate(sql);
    return await task(sql);
  }) as T;
}

async function migrate(sql: Sql): Promise<void> {
  await sql`create schema if not exists plant_store`;
  await sql`create table if not exists plant_store.migrations (
    version integer primary key
  )`;
  const [row] = await sql<[{ version: number | null }]>`
    select max(version) as version from plant_store.migrations`;
  const version = row.version ?? 0;
  if (version > MIGRATIONS.length) {
    throw new Error(
      `the tables are of version ${version}, and this plant-store knows ${MIGRATIONS.length}: a newer one is needed`,
    );
  }
  for (let at = version; at < MIGRATIONS.length; at++) {
    await sql.unsafe(MIGRATIONS[at]!);
    await sql`insert into plant_store.migrations values (${at + 1})`;
  }
}
