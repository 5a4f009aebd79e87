import { andThen, type MaybePromise } from "../internal/maybe_promise.ts";
import type { ResourceContext, ResourceResponse } from "./resource.ts";
import { createEtag } from "./response.ts";

/** The maximum number of cached documents, because clients choose the Host. */
const MAX_CACHED = 10;

/**
 * Returns the response with a document, which clients can revalidate.
 *
 * @param key Identifies the document in the cache.
 * @param write Returns the document.
 */
export function createDocument(
  cache: ResourceContext["cache"],
  key: string,
  headers: Readonly<Record<string, string>>,
  write: () => string,
): MaybePromise<ResourceResponse> {
  const cached = cache.get(key);
  if (cached) return cached;
  if (cache.size === MAX_CACHED) cache.clear();
  const body = new TextEncoder().encode(write());
  const response = andThen(createEtag(body), (ETag) => ({
    status: 200,
    headers: { ...headers, ETag, "Cache-Control": "no-cache" },
    body,
  }));
  cache.set(key, response);
  return response;
}
