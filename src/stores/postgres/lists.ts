import type postgres from "postgres";
import type { Access } from "../../domain/access.ts";
import { checkMark, createMark } from "./mark.ts";
import type { Sql } from "./schema.ts";

/** A part of a list, from somewhere on. */
export interface Piece {
  /** Which import the plants come from. */
  readonly version: string;
  /** The JSON of the plants in UTF-8, with commas between them. */
  readonly json: Uint8Array;
  /** How many plants there are. */
  readonly count: number;
  /** Where the last of them stands. */
  readonly last: number;
}

/**
 * Finds the first `limit` plants behind `after` that `access` lets see. It is
 * one statement, so that all of it is of one moment, and the JSON comes as it
 * is sent: nothing of it is parsed here.
 */
export async function findPlants(
  sql: Sql,
  access: Access,
  limit: number,
  after: number,
): Promise<Piece> {
  const mark = createMark();
  const [row] = await selectPlants(sql, access, limit, after, mark).raw();
  const [found, version, json, count, last] = row! as (Uint8Array | null)[];
  checkMark(mark, found);
  return {
    version: `${version}`,
    json: json ?? new Uint8Array(),
    count: Number(`${count}`),
    last: Number(`${last}`),
  };
}

/** A statement that gives a mark, a version, JSON, a number and a position. */
type Select = postgres.PendingQuery<postgres.Row[]>;

/** The statement that {@linkcode findPlants} executes. */
export function selectPlants(
  sql: Sql,
  access: Access,
  limit: number,
  after: number,
  mark: number,
): Select {
  return access === "all"
    ? selectAll(sql, limit, after, mark)
    : selectSome(sql, access, limit, after, mark);
}

function selectAll(
  sql: Sql,
  limit: number,
  after: number,
  mark: number,
): Select {
  return sql`
    select ${mark}::integer, current.version, list.*
    from plant_store.content as current
    cross join lateral (
      select string_agg(json, ',' order by position), count(*), max(position)
      from (
        select position, json from plant_store.plants
        where content = current.version and position > ${after}::integer
        order by position
        limit ${limit}::integer
      ) as found
    ) as list`;
}

/**
 * The first of all are among the first of each tag and of each name. They are
 * found by their order in an index, so that no more of them are read than are
 * wanted.
 */
function selectSome(
  sql: Sql,
  { tags = [], names = [] }: Exclude<Access, "all">,
  limit: number,
  after: number,
  mark: number,
): Select {
  return sql`
    select ${mark}::integer, current.version, list.*
    from plant_store.content as current
    cross join lateral (
      select string_agg(json, ',' order by position), count(*), max(position)
      from (
        select distinct on (position) position, json from (
          select by_tag.position, by_tag.json
          from json_array_elements_text(${
    toJson(tags)
  }::text::json) as tag (key)
          cross join lateral (
            select position, json from plant_store.plants
            where content = current.version
              and hashtextextended(tag, 0) = hashtextextended(key, 0)
              and position > ${after}::integer
              and plants.tag = key
            order by position
            limit ${limit}::integer
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
              and position > ${after}::integer
              and plants.name = key
            order by position
            limit ${limit}::integer
          ) as by_name
        ) as each
        order by position
        limit ${limit}::integer
      ) as found
    ) as list`;
}

function toJson(keys: readonly string[]): string {
  return JSON.stringify([...new Set(keys)]);
}
