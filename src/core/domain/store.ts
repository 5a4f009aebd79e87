import type { Behavior } from "./behavior.ts";
import { isPromise, type MaybePromise } from "../internal/maybe_promise.ts";
import { typeOf } from "../internal/read_options.ts";
import type { Plant } from "./plant.ts";

/**
 * Provides plants to a handler. Implement this interface to connect another
 * data source.
 *
 * @example A custom store
 * ```ts
 * import { createHandler, type PlantStore } from "plant-store";
 *
 * const store: PlantStore = {
 *   authenticate(token) {
 *     if (token !== "s3cret") return undefined;
 *     return { name: "curator", list: () => [{ name: "Ginkgo biloba" }] };
 *   },
 * };
 *
 * const handler = createHandler(store);
 * const response = await handler(
 *   new Request("http://localhost/plants", {
 *     headers: { authorization: "Bearer s3cret" },
 *   }),
 * );
 * console.log(await response.json()); // [{ name: "Ginkgo biloba" }]
 * ```
 */
export interface PlantStore {
  /**
   * Returns the user that a token belongs to, or `undefined` if the token is
   * not valid. If the user has a behavior, a service calls this again after the delay.
   *
   * @param token The bearer token, exactly as the client sent it.
   * @throws {StoreUnavailableError} If the store is temporarily unavailable.
   */
  authenticate(token: string): MaybePromise<User | undefined>;
  /**
   * Checks whether plants can be listed, and throws if they cannot. `/readyz`
   * reports the result.
   */
  ready?(): MaybePromise<Readiness | void>;
}

/** The times that `/readyz` reports. */
export interface Readiness {
  /** When the plants and users were loaded. */
  readonly loadedAt?: Date;
  /** When newer content was rejected; absent if the latest content is in use. */
  readonly rejectedAt?: Date;
}

/** A user and a consistent snapshot of the plants that the user can see. */
export interface User {
  /** The name of the user. It can appear in logs, but not in responses. */
  readonly name: string;
  /** How the handler delays the user's requests, or simulates failures. */
  readonly behavior?: Behavior;
  /**
   * Returns the first `limit` plants in catalog order, or all of them. A list with
   * anything but plants, such as a row whose `tag` is `null`, is an unexpected
   * failure. Clients also receive the other properties of the plants, so select the
   * columns: `rows.map(({ name, tag }) => ({ name, ...tag && { tag } }))`. An empty
   * `name` or `tag` is not checked.
   *
   * @param limit The maximum number of plants, from 0 to 2147483647.
   */
  list(limit?: number): MaybePromise<PlantList>;
}

/**
 * Plants in catalog order: an array, or a synchronous or asynchronous iterable, which
 * opens its resources when it is iterated. A service encodes an array at once. It reads a
 * long iterable while the client reads the response, and closes it if the client
 * disconnects. If the iterable throws during that time, the response is cut off, which a
 * client of HTTP/1.0 may notice only because the JSON has no end, and `onError` is called.
 *
 * @example A list that is read while it is sent
 * ```ts
 * import type { Plant, User } from "plant-store";
 *
 * async function* readPlants(): AsyncGenerator<Plant> {
 *   yield { name: "Ginkgo biloba" };
 * }
 *
 * const user: User = { name: "curator", list: readPlants };
 * ```
 */
export type PlantList = Iterable<Plant> | AsyncIterable<Plant>;

/**
 * An error that a store throws while it is temporarily unavailable, such as
 * during a database outage. The handler responds with 503 and `Retry-After`.
 *
 * @example
 * ```ts
 * import { createHandler, StoreUnavailableError } from "plant-store";
 *
 * const handler = createHandler({
 *   authenticate() {
 *     throw new StoreUnavailableError("The database is unavailable");
 *   },
 * });
 * const response = await handler(
 *   new Request("http://localhost/plants", {
 *     headers: { authorization: "Bearer s3cret" },
 *   }),
 * );
 * console.log(response.status); // 503
 * ```
 */
export class StoreUnavailableError extends Error {
  /** The name of the class. */
  override readonly name = "StoreUnavailableError";
}

/**
 * Checks the store that a caller passed.
 *
 * @throws {TypeError} If it cannot authenticate.
 */
export function checkStore(store: PlantStore): void {
  if (typeof (store as PlantStore | undefined)?.authenticate === "function") {
    return;
  }
  const got = isPromise(store) ? "a promise; await it" : typeOf(store);
  throw new TypeError(
    `store must be an object with a method "authenticate", got ${got}`,
  );
}

/**
 * Checks what a store returns as a list.
 *
 * @throws {TypeError} If it is not an object that can be iterated.
 */
export function checkList(list: PlantList): void {
  const { iterator, asyncIterator } = Symbol;
  const isList = typeof list === "object" && list !== null &&
    (iterator in list || asyncIterator in list);
  if (!isList) {
    throw new TypeError(
      `list() must return an array or an iterable, got ${typeOf(list)}`,
    );
  }
}

/**
 * Checks a plant of a list that a store returns.
 *
 * @throws {TypeError} If it is not a plant. The message contains no values.
 */
export function checkPlant(plant: unknown, index: number): void {
  const { name, tag } = Object(plant);
  if (
    typeof plant === "object" && typeof name === "string" &&
    (tag === undefined || typeof tag === "string")
  ) return;
  throw new TypeError(
    `list() must return plants, got [${index}] with name: ${
      typeOf(name)
    }, tag: ${typeOf(tag)}`,
  );
}

/** Whether an error means that a store is unavailable, even if it comes from another copy of this package or another realm. */
export function isUnavailable(error: unknown): boolean {
  return (error as Error | null | undefined)?.name === "StoreUnavailableError";
}
