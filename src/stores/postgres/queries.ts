import { DIGEST } from "../../core/domain/token.ts";

// Queries have no parameters, because they follow settings in one message. They contain
// only digests and integers.

/** A digest of what a user can see: the same for users with equal access; `null` if there is no user. */
const ACCESS = `encode(sha256(convert_to(
  case when u.name is null then null when u.all_plants then 'all'
  else json_build_array(u.tags, u.names)::text end, 'UTF8')), 'hex') as access`;

/** The version and, unless its token is unknown, a user. */
export interface UserRow {
  readonly version: string | null;
  readonly digest?: string | null;
  readonly name: string;
  readonly access: string;
  /** The number of the user's tags and names. */
  readonly terms: number;
  readonly behavior: string | null;
  /** In milliseconds since the Unix epoch. */
  readonly expires: string | null;
}

/** Selects the version, and the users of tokens. */
export function selectUsers(digests: readonly string[]): string {
  if (digests.length === 0) {
    return "select v.version::text from plant_store.version v";
  }
  return `
    select v.version::text, t.digest, u.name, ${ACCESS},
      coalesce(cardinality(u.tags), 0) + coalesce(cardinality(u.names), 0)
        as terms,
      u.behavior::text, (extract(epoch from t.expires) * 1000)::text as expires
    from plant_store.version v left join (
      plant_store.tokens t join plant_store.users u on u.name = t.user_name
    ) on t.digest in (${digests.map(quoteDigest)})`;
}

/** Which plants a page starts after, and how many it has and reads. */
export interface PageRange {
  /** The id after which it starts. */
  readonly after: bigint;
  /** The maximum number of plants. */
  readonly max: number;
  /** The maximum number of plants to read for each tag and name. */
  readonly perTerm: number;
}

/** The lowest id. */
export const MIN_ID: bigint = -(2n ** 63n);

/** Some plants of a user at one point in time. */
export interface Page {
  readonly version: string | null;
  /** `null` if the token has been deleted. */
  readonly access: string | null;
  readonly count: number;
  /** The id of the last plant; `null` if there are none. */
  readonly last: string | null;
  /** The JSON of the plants, with commas between them; `null` if there are none. */
  readonly plants: string | null;
  /** Whether a tag or a name has more plants than the page could read. */
  readonly isMore: boolean;
}

/**
 * Selects the plants of the user with a token. Each subquery scans an index in the order
 * of ids. The comparison of rows, such as `(tag, id)`, makes the scan start at the first
 * id, and prevents a plan that filters all plants. If a tag or a name may have more
 * plants, the page ends at the last one that was read of it.
 */
export function selectPage(
  digest: string,
  { after, max, perTerm }: PageRange,
): string {
  const start = `'${after}'::bigint`;
  const find = (terms: string, column: string) => `
    select found.*
    from unnest(case when u.all_plants then null else ${terms} end) as term
    cross join lateral (
      select *, case when count(*) over () = ${perTerm} then max(id) over () end
        as last_read
      from (
        select id, name, tag from plant_store.plants
        where (${column}, id) > (term, ${start}) and ${column} <= term
        order by ${column}, id limit ${perTerm}
      ) as found
    ) as found`;
  return `
    select v.version::text, ${ACCESS}, page.*
    from plant_store.version v
    left join (
      plant_store.tokens t join plant_store.users u on u.name = t.user_name
    ) on t.digest = ${quoteDigest(digest)}
    cross join lateral (
      select count(*)::int, max(id)::text as last, string_agg(
        '{"name":' || to_json(name) || coalesce(',"tag":' || to_json(tag), '') || '}',
        ',' order by id
      ) as plants, count(limit_id) > 0 as "isMore"
      from (
        (
          select id, name, tag, null::bigint as limit_id from plant_store.plants
          where u.all_plants and id > ${start} order by id limit ${max}
        )
        union all
        select distinct id, name, tag, limit_id from (
          select *, min(last_read) over () as limit_id from (
            ${find("u.tags", "tag")} union all ${find("u.names", "name")}
          ) as plants
        ) as plants
        where limit_id is null or id <= limit_id
        order by id limit ${max}
      ) as plants
    ) as page`;
}

const ONLY_DIGEST = new RegExp(`^${DIGEST.source}$`);

function quoteDigest(digest: string): string {
  if (!ONLY_DIGEST.test(digest)) throw new TypeError("expected a digest");
  return `'${digest}'`;
}
