import { sha256 } from "../internal/digest.ts";
import type { MaybePromise } from "../internal/maybe_promise.ts";
import type { Access } from "./access.ts";
import type { Credential, Credentials } from "./credentials.ts";
import type { Plant } from "./plant.ts";
import type { User } from "./store.ts";
import { isExpired } from "./token.ts";

/** The plants and users at one point in time. It never changes. */
export interface Snapshot {
  /** Returns the user for a token, or `undefined` if the token is not valid. */
  authenticate(token: string): MaybePromise<User | undefined>;
}

/** Iterates over the first `limit` plants of a user, or all of them. */
type Iterate = (limit?: number) => Iterable<Plant>;

/** What iterates over the plants of each user of a snapshot, by the user's `list` function. */
const ITERATE = new WeakMap<User["list"], Iterate>();

/**
 * Returns a function that iterates over a user's plants, if they never change: the
 * user comes from a snapshot, or has the `list` of such a user.
 */
export function getIterate({ list }: User): Iterate | undefined {
  return ITERATE.get(list);
}

/** Creates a snapshot. */
export function createSnapshot(
  plants: readonly Plant[],
  { tokens, digests }: Credentials,
): Snapshot {
  const users = new Map<Credential, User>();
  for (const plant of plants) Object.freeze(plant); // a wrapper of a user can have them

  function findUser(found: Credential | undefined): User | undefined {
    if (!found || isExpired(found.expires)) return undefined;
    let user = users.get(found);
    if (!user) users.set(found, user = createUser(plants, found));
    return user;
  }

  async function findByDigest(token: string): Promise<User | undefined> {
    return findUser(digests.get(await sha256(token)));
  }

  return {
    // A Map hashes the whole string with a random seed, so the duration of a
    // lookup reveals nothing about the tokens.
    authenticate(token) {
      const found = tokens.get(token);
      if (found || digests.size === 0) return findUser(found);
      return findByDigest(token);
    },
  };
}

function createUser(
  plants: readonly Plant[],
  { name, access, behavior }: Credential,
): User {
  const isVisible = createFilter(access);
  function* iterate(limit = Infinity): Generator<Plant> {
    let count = 0;
    for (const plant of plants) {
      if (count === limit) return;
      if (!isVisible(plant)) continue;
      count++;
      yield plant;
    }
  }
  const list = (limit?: number) => [...iterate(limit)];
  ITERATE.set(list, iterate);
  return Object.freeze({ name, ...behavior && { behavior }, list });
}

/** Returns a function that checks whether an access includes a plant. */
function createFilter(access: Access): (plant: Plant) => boolean {
  if (access === "all") return () => true;
  const tags = new Set<string | undefined>(access.tags);
  const names = new Set(access.names);
  return ({ name, tag }) => tags.has(tag) || names.has(name);
}
