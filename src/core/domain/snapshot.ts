import { sha256 } from "../internal/digest.ts";
import type { MaybePromise } from "../internal/maybe_promise.ts";
import type { Access } from "./access.ts";
import { Catalog } from "./catalog.ts";
import type { Credential, Credentials } from "./credentials.ts";
import type { Plant } from "./plant.ts";
import type { User } from "./store.ts";
import { isExpired } from "./token.ts";

/** The plants and users at one point in time. It never changes. */
export interface Snapshot {
  /** Returns the user for a token, or `undefined` if the token is not valid. */
  authenticate(token: string): MaybePromise<User | undefined>;
}

/** What users with the same access see. It never changes. */
export interface View {
  readonly catalog: Catalog;
  readonly access: Access;
}

/** The property of a user's `list` that holds the view. A copy with another `list` has no view. */
const VIEW = Symbol("view");

/**
 * Returns what a user sees, if that never changes: the user comes from a snapshot, or
 * has the `list` of such a user.
 */
export function viewOf(user: User): View | undefined {
  return (user.list as User["list"] & { readonly [VIEW]?: View })[VIEW];
}

/** Finds the positions of the first `limit` plants of a view. */
export function* findPlants(
  { catalog: { plants }, access }: View,
  limit: number = Infinity,
): Generator<number> {
  const isVisible = createFilter(access);
  let count = 0;
  for (let at = 0; at < plants.length && count < limit; at++) {
    if (!isVisible(plants[at]!)) continue;
    count++;
    yield at;
  }
}

/** Returns a function that checks whether an access includes a plant. */
function createFilter(access: Access): (plant: Plant) => boolean {
  if (access === "all") return () => true;
  const tags = new Set<string | undefined>(access.tags);
  const names = new Set(access.names);
  return ({ name, tag }) => tags.has(tag) || names.has(name);
}

/** Creates a snapshot. */
export function createSnapshot(
  plants: readonly Plant[],
  { tokens, digests }: Credentials,
): Snapshot {
  for (const plant of plants) Object.freeze(plant); // a wrapper of a user can have them
  const catalog = new Catalog(plants);
  const everything: View = { catalog, access: "all" };
  const users = new Map<Credential, User>();

  function findUser(found: Credential | undefined): User | undefined {
    if (!found || isExpired(found.expires)) return undefined;
    let user = users.get(found);
    if (!user) users.set(found, user = createUser(found));
    return user;
  }

  function createUser({ name, access, behavior }: Credential): User {
    const view = access === "all" ? everything : { catalog, access };
    const list = (limit?: number) =>
      Array.from(findPlants(view, limit), (at) => plants[at]!);
    Object.assign(list, { [VIEW]: view });
    return Object.freeze({ name, ...behavior && { behavior }, list });
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
