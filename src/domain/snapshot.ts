import { sha256 } from "../internal/digest.ts";
import { andThen, type MaybePromise } from "../internal/maybe_promise.ts";
import type { Access } from "./access.ts";
import type { Behavior } from "./behavior.ts";
import type { Credential, Credentials } from "./credentials.ts";
import type { Plant } from "./plant.ts";
import type { User } from "./store.ts";
import { isExpired } from "./token.ts";

/** The plants and users at one point in time. It never changes. */
export interface Snapshot {
  /** Returns the user for a token, or `undefined` if the token is not valid. */
  authenticate(token: string): MaybePromise<User | undefined>;
}

/**
 * The plants that some users of a snapshot can see. For equal limits, they get equal
 * lists, because a view never changes.
 */
export interface View {
  /** The number of plants in the snapshot. No list is longer. */
  readonly size: number;
  /** Returns the first `limit` plants, in catalog order. */
  list(limit?: number): readonly Plant[];
}

/** A user of a snapshot. */
class SnapshotUser implements User {
  readonly name: string;
  readonly behavior?: Behavior;
  readonly list: User["list"];
  // A copy or a wrapper of the user can return other lists, so it has no view.
  readonly #view: View;

  constructor({ name, behavior }: Credential, view: View) {
    this.name = name;
    if (behavior) this.behavior = behavior;
    this.list = view.list;
    this.#view = view;
  }

  static viewOf(user: User): View | undefined {
    const view = #view in user ? user.#view : undefined;
    return view?.list === user.list ? view : undefined;
  }
}

/** Returns what a user can see, or `undefined` unless the user is one of a snapshot. */
export const viewOf: (user: User) => View | undefined = SnapshotUser.viewOf;

/** Creates a snapshot. */
export function createSnapshot(
  plants: readonly Plant[],
  { tokens, digests }: Credentials,
): Snapshot {
  const views = new Map<Access, View>();

  function createUser(found: Credential | undefined): User | undefined {
    if (!found || isExpired(found.expires)) return undefined;
    const { access } = found;
    let view = views.get(access);
    if (!view) views.set(access, view = createView(plants, access));
    return new SnapshotUser(found, view);
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

function createView(plants: readonly Plant[], access: Access): View {
  const size = plants.length;
  if (access === "all") {
    return { size, list: (limit = size) => plants.slice(0, limit) };
  }
  const tags = new Set<string | undefined>(access.tags);
  const names = new Set(access.names);
  return {
    size,
    list(limit = size) {
      const selected: Plant[] = [];
      for (const plant of plants) {
        if (selected.length === limit) break;
        if (tags.has(plant.tag) || names.has(plant.name)) selected.push(plant);
      }
      return selected;
    },
  };
}
