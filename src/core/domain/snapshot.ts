import { sha256 } from "../internal/digest.ts";
import type { MaybePromise } from "../internal/maybe_promise.ts";
import type { Credential, Credentials } from "./credentials.ts";
import type { Plant } from "./plant.ts";
import { createSnapshotList } from "./snapshot_list.ts";
import type { User } from "./store.ts";
import { isExpired } from "./token.ts";

/** The plants and users at one point in time. It never changes. */
export interface Snapshot {
  /** Returns the user for a token, or `undefined` if the token is not valid. */
  authenticate(token: string): Promise<User | undefined>;
}

/** Creates a snapshot. The plants cannot be changed from then on. */
export function createSnapshot(
  plants: readonly Plant[],
  { tokens, digests }: Credentials,
): Snapshot {
  for (const plant of plants) Object.freeze(plant); // a wrapper of a user can have it
  const users = new Map<Credential, User>();
  /** A digest of all plants, which is the same in every process. */
  let digest: MaybePromise<string> | undefined;

  async function createUser(found: Credential): Promise<User> {
    const { name, access, behavior } = found;
    digest ??= sha256(JSON.stringify(plants));
    const version = `${await digest} ${JSON.stringify(access)}`;
    const list = (limit?: number) =>
      createSnapshotList(version, plants, access, limit);
    const user = Object.freeze({ name, ...behavior && { behavior }, list });
    users.set(found, user);
    return user;
  }

  return {
    // A Map hashes the whole string with a random seed, so the duration of a
    // lookup reveals nothing about the tokens.
    async authenticate(token) {
      const found = tokens.get(token) ?? digests.get(await sha256(token));
      if (!found || isExpired(found.expires)) return undefined;
      return users.get(found) ?? createUser(found);
    },
  };
}
