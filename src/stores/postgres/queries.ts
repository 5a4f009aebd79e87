import type { Access } from "../../domain/access.ts";
import type { Plant } from "../../domain/plant.ts";
import type { Pool } from "./client.ts";

/**
 * The settings for the queries. Without `force_generic_plan`, the database plans each
 * query again (2,200 instead of 3,700 requests/s). The other settings make it use the
 * indexes, because a generic plan cannot consider the limit of a list.
 */
export const SETTINGS = `set plan_cache_mode = force_generic_plan;
  set enable_seqscan = off; set enable_bitmapscan = off; set jit = off`;

/** The user that a token belongs to, in one import. */
export interface ImportedUser {
  readonly user: string;
  readonly access: Access;
  /** When the token expires, as in a tokens file; `null` if never. */
  readonly expires: string | null;
  /** The ID of the import that the user belongs to. */
  readonly importId: string;
}

/** Finds the user that a token belongs to, even if the token has expired. */
export async function findUser(
  pool: Pool,
  sha256: string,
): Promise<ImportedUser | undefined> {
  const query = { name: "user", text: SELECT_USER, values: [sha256] };
  const { rows } = await pool.query<ImportedUser>(query);
  return rows[0];
}

/** Selects at most `limit` plants after a position, which is -1 for the first ones. */
export type PlantsQuery = Pick<ImportedUser, "importId" | "access"> & {
  readonly limit: number;
  readonly after: number;
};

/** A plant. If a list is empty, the database returns one row without a position. */
export interface PlantRow {
  readonly position: number | null;
  readonly name: string;
  readonly tag: string | null;
}

/** Finds plants. Returns `undefined` if the database contains another import. */
export async function findPlants(
  pool: Pool,
  { importId, access, limit, after }: PlantsQuery,
): Promise<readonly PlantRow[] | undefined> {
  const values = [importId, limit, after];
  const { tags = [], names = [] } = access === "all" ? {} : access;
  const { rows } = await pool.query<PlantRow>(
    access === "all"
      ? { name: "all", text: SELECT_ALL, values }
      : { name: "some", text: SELECT_SOME, values: [...values, tags, names] },
  );
  if (rows.length === 0) return undefined;
  return rows[0]!.position === null ? [] : rows;
}

/** Converts a row to a plant. */
export function toPlant({ name, tag }: Omit<PlantRow, "position">): Plant {
  return tag === null ? { name } : { name, tag };
}

const SELECT_USER = `
  select users.name as user, access, expires, import.id as "importId"
  from plant_store.tokens join plant_store.users on users.id = user_id
  cross join plant_store.current_import as import
  where sha256 = $1`;

const SELECT_ALL = selectFromImport(selectFirst());

/** Reads at most `limit` plants for each tag and name, in order, from an index. */
const SELECT_SOME = selectFromImport(`
  select distinct on (position) position, name, tag
  from (${selectBy("tag", "$4")} union all ${selectBy("name", "$5")}) as plants
  order by position limit $2::integer`);

/** Selects no rows if the database contains another import. */
function selectFromImport(plants: string): string {
  return `
    select position, name, tag from plant_store.current_import
    left join (${plants}) as plants on true
    where id = $1::uuid order by position`;
}

function selectBy(column: string, keys: string): string {
  const isEqual = `${column} = key and
    hashtextextended(${column}, 0) = hashtextextended(key, 0)`;
  return `
    select plants.* from unnest(${keys}::text[]) as key
    cross join lateral (${selectFirst(isEqual)}) as plants`;
}

function selectFirst(condition = "true"): string {
  return `
    select position, name, tag from plant_store.plants
    where position > $3::integer and ${condition}
    order by position limit $2::integer`;
}
