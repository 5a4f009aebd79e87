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

/** The length of the texts that a list yields, in characters. */
const TEXT_LENGTH = 16_384;

/** The first `limit` plants that an access includes. */
class SnapshotList implements Iterable<Plant> {
  readonly version: string;
  readonly #catalog: Catalog;
  readonly #access: Access;
  readonly #limit: number | undefined;

  constructor(
    version: string,
    catalog: Catalog,
    access: Access,
    limit: number | undefined,
  ) {
    this.version = version;
    this.#catalog = catalog;
    this.#access = access;
    this.#limit = limit;
  }

  *[Symbol.iterator](): Generator<Plant> {
    for (const at of this.#find()) yield this.#catalog.plants[at]!;
  }

  encodeShort(max: number): string | undefined {
    let json = "[", separator = "";
    for (const text of this.encodeLong()) {
      json += separator + text;
      separator = ",";
      if (json.length >= max) return undefined;
    }
    return `${json}]`;
  }

  *encodeLong(): Generator<string> {
    let texts: string[] = [], length = 0;
    for (const at of this.#find()) {
      const json = this.#catalog.jsonAt(at);
      texts.push(json);
      length += json.length;
      if (length < TEXT_LENGTH) continue;
      yield texts.join();
      texts = [];
      length = 0;
    }
    if (texts.length > 0) yield texts.join();
  }

  #find(): Generator<number> {
    return findPlants(this.#catalog, this.#access, this.#limit);
  }
}

/** Finds the positions of the first `limit` plants that an access includes. */
function* findPlants(
  { plants }: Catalog,
  access: Access,
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
  const users = new Map<Credential, User>();

  function findUser(
    found: Credential | undefined,
  ): MaybePromise<User | undefined> {
    if (!found || isExpired(found.expires)) return undefined;
    return users.get(found) ?? createUser(found);
  }

  async function createUser(found: Credential): Promise<User> {
    const { name, access, behavior } = found;
    const version = `${await catalog.digest()} ${JSON.stringify(access)}`;
    const list = (limit?: number) =>
      new SnapshotList(version, catalog, access, limit);
    const user = Object.freeze({ name, ...behavior && { behavior }, list });
    users.set(found, user);
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
