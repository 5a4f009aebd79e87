import type { Behavior } from "./behavior.ts";
import { sha256 } from "../internal/digest.ts";
import { andThen, type MaybePromise } from "../internal/maybe_promise.ts";
import type { Plant } from "./plant.ts";
import type { User } from "./store.ts";

// A file has a `UserRecord` for each user. A `UserList` makes it an `Account`, with a
// `Credential` for each token. For a token, a snapshot returns the `User` of a store.

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

/**
 * What a user of a snapshot can see. Users with the same view get equal lists for
 * equal limits. No list of a view ever changes.
 */
export interface View {
  /** The plants, of which the user can see some or all. */
  readonly plants: readonly Plant[];
  readonly access: Account["access"];
}

/** A user of a snapshot. */
class SnapshotUser implements User {
  readonly name: string;
  readonly behavior?: Behavior;
  readonly list: User["list"];
  // A copy or a wrapper of the user, which can return other lists, has no view.
  readonly #view: View;

  constructor({ user, behavior }: Account, view: View) {
    this.name = user;
    if (behavior) this.behavior = behavior;
    this.list = (limit = Infinity) => selectPlants(view, limit);
    this.#view = view;
  }

  static viewOf(user: User): View | undefined {
    return #view in user ? user.#view : undefined;
  }
}

/** Returns what a user can see, or `undefined` unless the user is one of a snapshot. */
export const viewOf: (user: User) => View | undefined = SnapshotUser.viewOf;

/** Creates a snapshot. */
export function createSnapshot(
  plants: readonly Plant[],
  { tokens, digests }: Credentials,
): Snapshot {
  const views = new Map<View["access"], View>();

  function viewFor(access: View["access"]): View {
    let view = views.get(access);
    if (!view) views.set(access, view = { plants, access });
    return view;
  }

  function createUser(found: Credential | undefined): User | undefined {
    if (!found || isExpired(found.expires)) return undefined;
    const { account } = found;
    return new SnapshotUser(account, viewFor(account.access));
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

/** Returns the first `limit` plants of a view, in catalog order. */
function selectPlants(
  { plants, access }: View,
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
