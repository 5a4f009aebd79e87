/**
 * The statements that create the tables. Indexes contain a hash of each tag and name,
 * because PostgreSQL cannot index long text. Queries also compare the text itself.
 */
export const CREATE_TABLES: string = `
  create schema if not exists plant_store;

  -- One row. Each import sets a new ID.
  create table plant_store.current_import (id uuid not null);
  insert into plant_store.current_import values (gen_random_uuid());

  create table plant_store.plants (
    position integer primary key,
    name text not null,
    tag text
  );
  create index plants_by_tag on plant_store.plants
    (hashtextextended(tag, 0), position) where tag is not null;
  create index plants_by_name on plant_store.plants
    (hashtextextended(name, 0), position);

  create table plant_store.users (
    id bigint generated always as identity primary key,
    name text not null,
    access json not null
  );

  create table plant_store.tokens (
    id bigint generated always as identity primary key,
    user_id bigint not null references plant_store.users on delete cascade,
    sha256 text not null unique check (sha256 ~ '^[0-9a-f]{64}$'),
    created text,
    expires text
  );
  create index tokens_by_user on plant_store.tokens (user_id, id);
`;
