import type { Access } from "../domain/access.ts";
import type { Behavior } from "../domain/behavior.ts";
import { readOptions } from "../internal/read_options.ts";
import { type Plant, PlantsFileSchema } from "../domain/plant.ts";
import { ProblemList } from "../internal/schema.ts";
import { Credentials } from "../domain/credentials.ts";
import { createSnapshot, type Snapshot } from "../domain/snapshot.ts";
import type { PlantStore, Readiness } from "../domain/store.ts";
import { parse, toTypeError } from "../internal/parse.ts";
import { listUsers, type Token } from "../domain/user.ts";

/**
 * The content of a {@linkcode MemoryStore}. The types also fit what TypeScript infers for
 * JSON files, where `"all"` is any string.
 */
export interface MemoryStoreContent {
  /** The plants, in catalog order. */
  readonly plants: readonly Plant[];
  /** The users by name. The property `$schema` is ignored if it is a string. */
  readonly users: Readonly<
    Record<
      string,
      string | {
        readonly plants: Access | string;
        readonly behavior?: {
          readonly [Name in keyof Behavior]: string | number;
        };
        readonly tokens: readonly Token[];
      }
    >
  >;
}

/** A store that keeps plants and users in memory. */
export interface MemoryStore extends PlantStore {
  /** Returns when the plants and users were set. */
  ready(): Readiness;
  /**
   * Replaces all plants and users. In-flight requests still return the previous
   * plants, except those that wait for a behavior.
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
  let loadedAt: Date;
  function replace(content: MemoryStoreContent): void {
    current = build(content);
    loadedAt = new Date();
  }
  replace(content);
  return {
    authenticate: (token) => current.authenticate(token),
    ready: () => ({ loadedAt }),
    replace,
  };
}

function build(content: MemoryStoreContent): Snapshot {
  const types = { plants: "unknown", users: "unknown" } as const;
  const { plants, users } = readOptions(content, types, "content");
  const credentials = new Credentials(), problems = new ProblemList();
  for (const [name, record] of listUsers(users)) {
    credentials.add(name, record, problems);
  }
  const [problem] = problems.listed;
  if (problem) throw toTypeError("users", problem);
  return createSnapshot(parse(PlantsFileSchema, plants, "plants"), credentials);
}
