import type { Behavior } from "./behavior.ts";
import { sha256 } from "./etag.ts";
import { andThen, type MaybePromise } from "./maybe_promise.ts";
import type { Plant } from "./plant.ts";
import type { User } from "./store.ts";

/** A user. The tokens of a user share one object. */
export interface Account {
  readonly user: string;
  /** How the user's requests are delayed or fail on purpose. */
  readonly behavior?: Behavior;
  /** The plants that the user can see. */
  readonly access: "all" | {
    readonly tags: ReadonlySet<string | undefined> | undefined;
    readonly names: ReadonlySet<string> | undefined;
  };
}

/** A token of a user. */
export interface Credential {
  readonly account: Account;
  /** When the token expires, in milliseconds since the Unix epoch. Default: never. */
  readonly expires?: number;
}

/** The credentials of all users. */
export interface Credentials {
  /** The credentials by token. */
  readonly tokens: ReadonlyMap<string, Credential>;
  /** The credentials by the SHA-256 digest of the token. */
  readonly digests: ReadonlyMap<string, Credential>;
}

/** Whether an expiration time has passed or is invalid. */
export function isExpired(expires: number = Infinity): boolean {
  return !(Date.now() < expires);
}

/** The plants and users at one point in time. It never changes. */
export interface Snapshot {
  /** Returns the user for a token, or `undefined` if the token is not valid. */
  authenticate(token: string): MaybePromise<User | undefined>;
}

/** The maximum size of the lists that have been kept since all were dropped, with their responses, in bytes. */
const MAX_KEPT = 16_000_000;

/** The last limit of a user, and the list if it was requested more than once. */
interface KeptList {
  readonly limit: number;
  readonly list?: readonly Plant[];
}

/** Returns the approximate size of a list and the response with it, in bytes. */
function sizeOf(list: readonly Plant[]): number {
  let size = 1_000;
  for (const { name, tag = "" } of list) size += 40 + name.length + tag.length;
  return size;
}

/** Creates a snapshot. */
export function createSnapshot(
  all: readonly Plant[],
  { tokens, digests }: Credentials,
): Snapshot {
  const plants = Object.freeze([...all]);
  // If the lists take too much memory, all are dropped.
  const lists = new Map<Account, KeptList>();
  let kept = 0;

  function list(account: Account, limit: number): readonly Plant[] {
    const { access } = account;
    if (access === "all" && limit >= plants.length) return plants;
    const last = lists.get(account);
    const isRepeated = last?.limit === limit;
    if (isRepeated && last.list) return last.list;
    const selected = selectPlants(plants, access, limit);
    if (!isRepeated) {
      lists.set(account, { limit });
      return selected;
    }
    const size = sizeOf(selected);
    if (kept + size > MAX_KEPT) {
      lists.clear();
      kept = 0;
    }
    kept += size;
    // The handler keeps the response with a frozen list.
    lists.set(account, { limit, list: Object.freeze(selected) });
    return selected;
  }

  function createUser(found: Credential | undefined): User | undefined {
    if (!found || isExpired(found.expires)) return undefined;
    const { account } = found;
    const { user: name, behavior } = account;
    return {
      name,
      ...behavior && { behavior },
      list: (limit = Infinity) => list(account, limit),
    };
  }

  return {
    // A Map hashes the whole string with a random seed, so the duration of a
    // lookup reveals nothing about the tokens.
    authenticate(token) {
      const found = tokens.get(token);
      if (found || digests.size === 0) return createUser(found);
      return andThen(
        sha256(token),
        (digest) => createUser(digests.get(digest)),
      );
    },
  };
}

/** Returns the first `limit` plants that a user can see, in catalog order. */
function selectPlants(
  plants: readonly Plant[],
  access: Account["access"],
  limit: number,
): readonly Plant[] {
  if (access === "all") return plants.slice(0, limit);
  const { tags, names } = access;
  const selected: Plant[] = [];
  for (const plant of plants) {
    if (selected.length === limit) break;
    if (tags?.has(plant.tag) || names?.has(plant.name)) selected.push(plant);
  }
  return selected;
}
