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

/** The users of all snapshots. */
const USERS = new WeakSet<User>();

/**
 * Whether a user comes from a snapshot. Such a user never changes, and returns equal
 * lists for equal limits; a copy or a wrapper can return others.
 */
export function isSnapshotUser(user: User): boolean {
  return USERS.has(user);
}

/** Creates a snapshot. */
export function createSnapshot(
  plants: readonly Plant[],
  { tokens, digests }: Credentials,
): Snapshot {
  const users = new Map<Credential, User>();

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
  const list = createList(plants, access);
  const user = Object.freeze({ name, ...behavior && { behavior }, list });
  USERS.add(user);
  return user;
}

/** Returns the function that lists the plants that an access allows, in catalog order. */
function createList(plants: readonly Plant[], access: Access): User["list"] {
  if (access === "all") return (limit) => plants.slice(0, limit);
  const tags = new Set<string | undefined>(access.tags);
  const names = new Set(access.names);
  return (limit) => {
    const selected: Plant[] = [];
    for (const plant of plants) {
      if (selected.length === limit) break;
      if (tags.has(plant.tag) || names.has(plant.name)) selected.push(plant);
    }
    return selected;
  };
}
