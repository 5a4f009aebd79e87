import type { PlantStore } from "../domain/store.ts";
import type { Reply } from "./reply.ts";

/**
 * Something that is served beside the plants, and asks for no credentials: the
 * page, the OpenAPI document. It is asked for each GET and HEAD; a reply with an
 * `ETag` is given as 304 to a client that has it.
 *
 * @param context What the service knows of itself.
 */
export type Resource = (context: ResourceContext) => Reply | Promise<Reply>;

/** What the service knows of itself when a resource is asked for. */
export interface ResourceContext {
  /**
   * The address that the plants are under, with the base path and without a
   * slash at the end: that of the request, unless one was given. A path alone
   * where the request named no host.
   */
  readonly baseUrl: string;
  /** Where the plants come from. */
  readonly store: PlantStore;
  /** Whether there is an OpenAPI document beside. */
  readonly hasOpenapi: boolean;
}
