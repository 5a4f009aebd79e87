/** The notification channel for changes to users, tokens, and plants. */
export const CHANNEL = "plant_store";

/**
 * The statements that create the tables.
 *
 * - Indexes contain a hash of each tag and name because PostgreSQL cannot index
 *   long text. Queries also compare the text itself.
 * - Each plant has the number of its import, so that queries never mix two
 *   imports or scan the rows of a previous one.
 */
export const CREATE_TABLES: string = `
  create schema if not exists plant_store;

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
`;
