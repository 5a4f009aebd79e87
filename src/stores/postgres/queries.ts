import type postgres from "postgres";
import type { Access } from "../../domain/access.ts";
import type { Sql } from "./client.ts";

/** The user that a token belongs to. */
export interface FoundUser {
  readonly user: string;
  readonly access: Access;
  /** When the token expires; `null` if it does not. */
  readonly expires: string | null;
  /** The number of the import that the user comes from. */
  readonly version: string;
}

/** Finds the user that a token belongs to, even if the token has expired. */
export async function findUser(
  sql: Sql,
  sha256: string,
): Promise<FoundUser | undefined> {
  const mark = createMark();
  const [row] = await sql<[(FoundUser | { user: null }) & { mark: number }]>`
    select ${mark}::integer as mark, name as user, plants::json as access,
      expires, version
    from plant_store.content
    left join (
      plant_store.tokens join plant_store.users on users.id = user_id
    ) on sha256 = ${sha256}`;
  checkMark(mark, row.mark);
  return row.user === null ? undefined : row;
}

/** Selects a piece of a list. */
export interface PieceQuery {
  readonly access: Access;
  /** The maximum number of plants. */
  readonly limit: number;
  /** The position after which the piece starts; -1 for the first piece. */
  readonly after: number;
}

/** A piece of a list. */
export interface Piece {
  /** The number of the import that the plants come from. */
  readonly version: string;
  /** The plants as JSON in UTF-8, separated by commas. */
  readonly json: Uint8Array;
  /** The number of plants. */
  readonly count: number;
  /** The position of the last plant. */
  readonly last: number;
}

/** Finds a piece of a list in one statement, so that the piece is consistent. */
export async function findPlants(sql: Sql, query: PieceQuery): Promise<Piece> {
  const mark = createMark();
  // Read raw bytes, because responses contain the JSON unchanged.
  const [row] = await selectPlants(sql, query, mark).raw();
  const [found, version, json, count, last] = row! as (Uint8Array | null)[];
  checkMark(mark, found);
  return {
    version: `${version}`,
    json: json ?? new Uint8Array(),
    count: Number(`${count}`),
    last: Number(`${last}`),
  };
}

/** Creates the statement that {@linkcode findPlants} runs. */
export function selectPlants(
  sql: Sql,
  { access, limit, after }: PieceQuery,
  mark: number,
): postgres.PendingQuery<postgres.Row[]> {
  const options = { prepare: true };
  if (access === "all") {
    return sql.unsafe(SELECT_ALL, [mark, limit, after], options);
  }
  const keys = [access.tags, access.names].map((keys) =>
    JSON.stringify(keys ?? [])
  );
  return sql.unsafe(SELECT_SOME, [mark, limit, after, ...keys], options);
}

const SELECT_ALL = selectPiece(selectFirst());

/**
 * For each tag and name, the database reads plants from an index in order, so that
 * it never reads more than `limit` of them.
 */
const SELECT_SOME = selectPiece(`
  select distinct on (position) position, json
  from (${selectBy("tag", "$4")} union all ${selectBy("name", "$5")}) as plants
  order by position
  limit $2::integer`);

function selectPiece(plants: string): string {
  return `
    select $1::integer, current.version, piece.*
    from plant_store.content as current
    cross join lateral (
      select string_agg(json, ',' order by position), count(*), max(position)
      from (${plants}) as plants
    ) as piece`;
}

function selectBy(column: string, keys: string): string {
  const plants = selectFirst(`
    and hashtextextended(${column}, 0) = hashtextextended(key, 0)
    and ${column} = key`);
  return `
    select plants.*
    from json_array_elements_text(${keys}::text::json) as keys (key)
    cross join lateral (${plants}) as plants`;
}

function selectFirst(condition = ""): string {
  return `
    select position, json from plant_store.plants
    where content = current.version and position > $3::integer ${condition}
    order by position
    limit $2::integer`;
}

/**
 * Creates a random number to send with a statement. The result must contain it.
 * If results were mixed up, clients could see other users' plants.
 */
function createMark(): number {
  return Math.floor(Math.random() * 2 ** 31);
}

function checkMark(mark: number, found: unknown): void {
  if (`${found}` === `${mark}`) return;
  throw new Error(
    "received the result of another statement; use session mode in the pooler",
  );
}
