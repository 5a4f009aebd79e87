/**
 * The version, and the user of a token, if it is valid. There is always a row, unless
 * the tables are not those of this package.
 */
const FROM_TOKEN = (digest: string) => `
  from (
    select v.version::text from plant_store.version v limit 1
  ) v left join (
    plant_store.tokens t join plant_store.users u on u.name = t.user_name
  ) on t.digest = ${digest} and (t.expires is null or t.expires > now())`;

/** A digest of what a user can see: the same for users with equal access. */
const ACCESS = `encode(sha256(convert_to(
  case when u.all_plants then 'all'
  else json_build_array(u.tags, u.names)::text end, 'UTF8')), 'hex') as access`;

/** What a list can show: the plants of this version that this access includes. */
export interface View {
  /** A text that changes with the plants, or `null`. */
  readonly version: string | null;
  readonly access: string;
}

/** A user with a valid token. */
export interface UserRow extends View {
  /** `null` if there is no user with one of the tokens. */
  readonly digest: string | null;
  readonly name: string;
  /** The number of the user's tags and names. */
  readonly terms: number;
  readonly behavior: string | null;
}

/** Reads the users of tokens ($1: digests). */
export const READ_USERS: string = `
  select v.version, t.digest, u.name, ${ACCESS},
    coalesce(cardinality(u.tags), 0) + coalesce(cardinality(u.names), 0) as terms,
    u.behavior::text
  ${FROM_TOKEN("any ($1::text[])")}`;

export const MIN_ID: string = `${-(2n ** 63n)}`;

/** Some plants of a user at one point in time. */
export interface Page extends View {
  /** The name of the user; `null` if the token is not valid. */
  readonly name: string | null;
  readonly count: number;
  /** The id of the last plant; `null` if there are none. */
  readonly last: string | null;
  /** The JSON of the plants, with commas between them; `null` if there are none. */
  readonly plants: string | null;
  /** Whether there can be plants after the page. */
  readonly isMore: boolean;
}

/** Finds up to $4 plants after the id $2 for each tag or name of a user. */
const find = (terms: string, column: string) => `
  select found.*
  from unnest(case when u.all_plants then null else ${terms} end) as term
  cross join lateral (
    select *, case when count(*) over () = $4 then max(id) over () end as last_read
    from (
      select id, name, tag from plant_store.plants
      where (${column}, id) > (term, $2) and ${column} <= term
      order by ${column}, id limit $4
    ) as found
  ) as found`;

/** The size at which a page ends, in bytes, because a client that pauses keeps a page. */
const PAGE_BYTES = 65_536;

/**
 * Reads the plants of the user with a token ($1: its digest) after an id ($2), up to a
 * number ($3), and up to a number for each tag and name ($4). Each subquery scans an
 * index in the order of ids. The comparison of rows, such as `(tag, id)`, makes the scan
 * start at the first id, and prevents a plan that filters all plants. If a tag or a name
 * may have more plants, the page ends at the last one that was read of it.
 */
export const READ_PAGE: string = `
  select v.version, u.name, ${ACCESS}, page.*,
    "isFull" or octet_length(plants) >= ${PAGE_BYTES} as "isMore"
  ${FROM_TOKEN("$1")}
  cross join lateral (
    select count(*)::int, max(id)::text as last, string_agg(
      '{"name":' || to_json(name) || coalesce(',"tag":' || to_json(tag), '') || '}',
      ',' order by id
    ) as plants, count(*) = $3 or count(limit_id) > 0 as "isFull"
    from (
      select *, sum(octet_length(name) + coalesce(octet_length(tag), 0)) over (
        order by id rows between unbounded preceding and 1 preceding
      ) as size_before
      from (
        (
          select id, name, tag, null::bigint as limit_id from plant_store.plants
          where u.all_plants and id > $2::bigint order by id limit $3::int
        )
        union all
        select distinct id, name, tag, limit_id from (
          select *, min(last_read) over () as limit_id from (
            ${find("u.tags", "tag")} union all ${find("u.names", "name")}
          ) as plants
        ) as plants
        where limit_id is null or id <= limit_id
        order by id limit $3
      ) as plants
    ) as plants
    where size_before is null or size_before < ${PAGE_BYTES}
  ) as page`;
