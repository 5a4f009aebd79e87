import type postgres from "postgres";
import type { Access } from "../../domain/access.ts";
import type { Sql } from "./schema.ts";

/** A list, and which content it was taken from. */
export interface FoundList {
  /** Which import the plants come from. */
  readonly version: string;
  /** The JSON array in UTF-8. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * Lists what `access` lets see, the first `limit` plants of it, or all without
 * one. It is one statement, so that all of it is of one moment, and the array
 * comes as it is sent: nothing of it is parsed here.
 */
export async function findPlants(
  sql: Sql,
  access: Access,
  limit: number | undefined,
): Promise<FoundList> {
  const [row] = await selectPlants(sql, access, limit).raw();
  const [version, body] = row!;
  // What came is a part of a larger buffer, which would be kept as long.
  return { version: `${version}`, body: new Uint8Array(body!) };
}

/** A statement that gives a version and an array. */
type Select = postgres.PendingQuery<postgres.Row[]>;

/** The statement that {@linkcode findPlants} executes. */
export function selectPlants(
  sql: Sql,
  access: Access,
  limit: number | undefined,
): Select {
  const most = limit ?? null;
  return access === "all"
    ? selectAll(sql, most)
    : selectSome(sql, access, most);
}

function selectAll(sql: Sql, most: number | null): Select {
  return sql`
    select current.version, '[' || coalesce((
      select string_agg(json, ',' order by position) from (
        select position, json from plant_store.plants
        where content = current.version
        order by position
        limit ${most}::integer
      ) as found
    ), '') || ']'
    from plant_store.content as current`;
}

/**
 * The first of all are among the first of each tag and of each name. They are
 * found by their order in an index, so that no more of them are read than are
 * wanted.
 */
function selectSome(
  sql: Sql,
  { tags = [], names = [] }: Exclude<Access, "all">,
  most: number | null,
): Select {
  return sql`
    select current.version, '[' || coalesce((
      select string_agg(json, ',' order by position) from (
        select distinct on (position) position, json from (
          select by_tag.position, by_tag.json
          from json_array_elements_text(${
    toJson(tags)
  }::text::json) as tag (key)
          cross join lateral (
            select position, json from plant_store.plants
            where content = current.version
              and hashtextextended(tag, 0) = hashtextextended(key, 0)
              and plants.tag = key
            order by position + 0
            limit ${most}::integer
          ) as by_tag
          union all
          select by_name.position, by_name.json
          from json_array_elements_text(${
    toJson(names)
  }::text::json) as name (key)
          cross join lateral (
            select position, json from plant_store.plants
            where content = current.version
              and hashtextextended(name, 0) = hashtextextended(key, 0)
              and plants.name = key
            order by position + 0
            limit ${most}::integer
          ) as by_name
        ) as each
        order by position
        limit ${most}::integer
      ) as found
    ), '') || ']'
    from plant_store.content as current`;
}

function toJson(keys: readonly string[]): string {
  return JSON.stringify([...new Set(keys)]);
}
