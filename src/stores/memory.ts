import * as v from "valibot";
import type { Access } from "../domain/access.ts";
import { AccessSchema } from "./catalog/access_schema.ts";
import { type Behavior, BehaviorSchema } from "./catalog/behavior_schema.ts";
import { readOptions } from "../domain/options.ts";
import type { Plant } from "../domain/plant.ts";
import { PlantsFileSchema } from "./catalog/plants_schema.ts";
import { quote } from "../domain/quote.ts";
import { object } from "./catalog/schema.ts";
import {
  createSnapshot,
  type Credential,
  type Snapshot,
} from "./catalog/snapshot.ts";
import type { PlantStore, Readiness, Viewer } from "../domain/store.ts";
import { isToken } from "../domain/token.ts";
import { applyBehavior } from "./behavior.ts";
import { parse, parseUsers } from "./catalog/parse.ts";

/** The content of a {@linkcode MemoryStore}. */
export interface MemoryStoreContent {
  /** The plants, in catalog order. */
  readonly plants: readonly Plant[];
  /** The users by name. */
  readonly users: Readonly<Record<string, MemoryStoreUser>>;
}

/** A user in a {@linkcode MemoryStore}. */
export interface MemoryStoreUser {
  /** The plants that the user can see. */
  readonly plants: Access;
  /** The user's bearer tokens, in the syntax of RFC 6750 section 2.1. */
  readonly tokens: readonly string[];
  /** How the user's lists are delayed or fail on purpose. Default: they don't. */
  readonly behavior?: Behavior;
}

/** A store that keeps plants and users in memory. */
export interface MemoryStore extends PlantStore {
  /** Returns the user for a token, or `undefined` if the token is not valid. */
  authenticate(token: string): Viewer | undefined;
  /** Returns when the plants and users were set. */
  ready(): Readiness;
  /**
   * Replaces all plants and users. In-flight requests still return the previous
   * plants.
   *
   * @throws {TypeError} If the content is invalid. The store keeps the previous
   * content.
   */
  replace(content: MemoryStoreContent): void;
}

/**
 * Creates a store from plants and users in memory, for tests, lessons, and
 * servers with another data source. The store copies the content.
 *
 * @param content The plants and the users.
 * @returns The store.
 * @throws {TypeError} If a plant or a user is invalid, or a token is repeated.
 * The message contains the location, but no token.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore } from "plant-store";
 *
 * const store = createMemoryStore({
 *   plants: [{ name: "Monstera deliciosa", tag: "vine" }],
 *   users: { curator: { plants: "all", tokens: ["s3cret"] } },
 * });
 * const response = await createHandler(store)(
 *   new Request("http://localhost/plants", {
 *     headers: { authorization: "Bearer s3cret" },
 *   }),
 * );
 * console.log(await response.json());
 * // [{ name: "Monstera deliciosa", tag: "vine" }]
 * ```
 */
export function createMemoryStore(content: MemoryStoreContent): MemoryStore {
  let current: Snapshot;
  let loaded: Date;
  function replace(content: MemoryStoreContent): void {
    current = build(content);
    loaded = new Date();
  }
  replace(content);
  return {
    // A Map hashes the whole string with a random seed, so the duration of a
    // lookup reveals nothing about the tokens.
    authenticate: applyBehavior((token) => current.authenticate(token)),
    ready: () => ({ loaded }),
    replace,
  };
}

const UserSchema: v.GenericSchema<MemoryStoreUser> = object("a user object", {
  plants: AccessSchema,
  tokens: v.array(
    v.pipe(
      v.string("a token must be a string"),
      v.check(
        isToken,
        "a token must consist of letters, digits, and -._~+/, optionally followed by =",
      ),
    ),
    "expected an array of tokens",
  ),
  behavior: v.exactOptional(BehaviorSchema),
}, true);

function build(content: MemoryStoreContent): Snapshot {
  const types = { plants: "unknown", users: "unknown" } as const;
  const { plants, users } = readOptions(content, types, "content");
  const credentials = new Map<string, Credential>();
  for (const [user, record] of parseUsers(UserSchema, users)) {
    const { plants: access, tokens, behavior } = record;
    for (const token of tokens) {
      if (credentials.has(token)) {
        throw new TypeError(
          `users[${quote(user)}].tokens contains a duplicate token`,
        );
      }
      credentials.set(token, { user, access, ...behavior && { behavior } });
    }
  }
  return createSnapshot(parse(PlantsFileSchema, plants, "plants"), credentials);
}
