/**
 * The OpenAPI document, for the `openapi` option of a handler.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore } from "plant-store";
 * import { openapi } from "plant-store/openapi";
 *
 * const store = createMemoryStore({ plants: [], users: {} });
 * const handler = createHandler(store, { openapi });
 *
 * const response = await handler(new Request("http://localhost/openapi.json"));
 * const { openapi: version, servers } = await response.json();
 * console.log(version); // "3.1.0"
 * console.log(servers); // [{ url: "http://localhost" }]
 * ```
 *
 * @module
 */
import { STATUS_CODE } from "@std/http/status";
import { createEtag } from "../domain/etag.ts";
import { andThen, type MaybePromise } from "../domain/maybe_promise.ts";
import type { Resource, ResourceResponse } from "../http/resource.ts";
import { writeDocument } from "./write.ts";

/**
 * Serves the OpenAPI 3.1 document at `/openapi.json`. The server URL in the
 * document is the `publicUrl` option, or else comes from the request.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore } from "plant-store";
 * import { openapi } from "plant-store/openapi";
 *
 * const handler = createHandler(
 *   createMemoryStore({ plants: [], users: {} }),
 *   { openapi, publicUrl: "https://plants.example/v1" },
 * );
 * const response = await handler(new Request("http://localhost/openapi.json"));
 * const { servers } = await response.json();
 * console.log(servers); // [{ url: "https://plants.example/v1" }]
 * ```
 */
export const openapi: Resource = (
  { baseUrl, cache },
): MaybePromise<ResourceResponse> => {
  const cached = cache.get(baseUrl);
  if (cached) return cached;
  if (cache.size === MAX_CACHED) cache.clear();
  const response = createDocument(baseUrl);
  cache.set(baseUrl, response);
  return response;
};

/** The maximum number of base URLs whose documents are cached, because clients choose the Host. */
const MAX_CACHED = 10;

function createDocument(baseUrl: string): MaybePromise<ResourceResponse> {
  const body = new TextEncoder().encode(writeDocument(baseUrl));
  return andThen(createEtag(body), (etag) => ({
    status: STATUS_CODE.OK,
    headers: {
      "Content-Type": "application/json",
      "ETag": etag,
      "Cache-Control": "no-cache",
    },
    body,
  }));
}
