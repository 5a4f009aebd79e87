import type { Plant } from "./plant.ts";

/**
 * Where plants come from: the one seam of the library.
 *
 * @example A store of one's own, over plain plants
 * ```ts
 * import { createHandler, type PlantStore } from "plant-store";
 * import { assertEquals } from "@std/assert";
 *
 * const store: PlantStore = {
 *   view(token) {
 *     if (token !== "s3cret") return undefined;
 *     return { user: "curator", list: () => [{ name: "Ginkgo biloba" }] };
 *   },
 * };
 *
 * const handler = createHandler(store);
 * const response = await handler(
 *   new Request("http://localhost/plants", {
 *     headers: { authorization: "Bearer s3cret" },
 *   }),
 * );
 * assertEquals(await response.json(), [{ name: "Ginkgo biloba" }]);
 * ```
 */
export interface PlantStore {
  /**
   * What this token's user may see, or undefined when the token is not valid.
   * One snapshot from start to end.
   *
   * @param token The bearer token as it came (RFC 6750 section 2.1).
   * @throws {StoreUnavailableError} When plants can't be listed for now.
   */
  view(token: string): View | undefined | Promise<View | undefined>;
  /**
   * Resolves when plants can be listed, to what `/readyz` then tells of them;
   * throws when they can't.
   */
  ready?(): Readiness | void | Promise<Readiness | void>;
}

/** What a store tells of the plants that it lists: when, never why. */
export interface Readiness {
  /** When they were loaded. */
  readonly loaded?: Date;
  /** When what should have come in their place was refused; absent where nothing is wrong. */
  readonly refused?: Date;
}

/** What one user may see, fixed at one moment. */
export interface View {
  /** The user's name. It may reach a log, never a client. */
  readonly user: string;
  /**
   * The first `limit` plants in catalogue order, all of them without one.
   *
   * @param limit The most plants to return, an integer from 0 to 2147483647.
   */
  list(limit?: number): PlantList | Promise<PlantList>;
}

/** Plants, or the JSON array already encoded, with its ETag. */
export type PlantList = readonly Plant[] | EncodedList;

/** A JSON array of plants, ready to be sent. */
export interface EncodedList {
  /** The array as JSON text, or as its UTF-8 bytes. */
  readonly body: string | Uint8Array;
  /** The length of the body in bytes, once it is UTF-8. */
  readonly byteLength: number;
  /** A strong entity tag of the body, quotes included, without commas (RFC 9110 section 8.8.3). */
  readonly etag: string;
}

/**
 * Thrown by a store that can't list plants for now, such as one whose database
 * is away. The client is answered 503 with `Retry-After`.
 *
 * @example
 * ```ts
 * import { createHandler, StoreUnavailableError } from "plant-store";
 * import { assertEquals } from "@std/assert";
 *
 * const handler = createHandler({
 *   view() {
 *     throw new StoreUnavailableError("The database is away");
 *   },
 * });
 * const response = await handler(
 *   new Request("http://localhost/plants", {
 *     headers: { authorization: "Bearer s3cret" },
 *   }),
 * );
 * assertEquals(response.status, 503);
 * ```
 */
export class StoreUnavailableError extends Error {
  /** The name of the class. */
  override readonly name = "StoreUnavailableError";
}
