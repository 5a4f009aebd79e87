import { type View, viewOf } from "../domain/snapshot.ts";
import { checkPlants, type User } from "../domain/store.ts";
import type { MaybePromise } from "../internal/maybe_promise.ts";
import { encodeLong, encodeShort } from "./list_json.ts";
import { createEtag, encodeText, type ServiceResponse } from "./response.ts";
import { ResponseCache } from "./response_cache.ts";

/** Returns a function that responds with the first `limit` plants that a user can see. */
export function createList() {
  const cache = new ResponseCache();

  async function create(view: View, limit: number): Promise<ServiceResponse> {
    const short = encodeShort(view, limit);
    if (short !== undefined) {
      const response = await createWhole(short);
      cache.add(view, limit, response);
      return response;
    }
    // The whole list is not known, so the ETag depends on what it is from.
    const { catalog, access } = view;
    const source = [await catalog.digest(), access, limit];
    const etag = await createEtag(JSON.stringify(source));
    const headers = createHeaders(etag);
    return { status: 200, headers, chunks: encodeLong(view, limit) };
  }

  return (user: User, limit?: number): MaybePromise<ServiceResponse> => {
    const view = viewOf(user);
    if (!view) return createCustom(user, limit);
    // Larger limits return the same list.
    const max = Math.min(limit ?? Infinity, view.catalog.plants.length);
    return cache.get(view, max) ?? create(view, max);
  };
}

/** Creates the response with the first `limit` plants of a user of a custom store. */
async function createCustom(
  user: User,
  limit?: number,
): Promise<ServiceResponse> {
  const plants = await user.list(limit);
  checkPlants(plants);
  return createWhole(JSON.stringify(plants.slice(0, limit)));
}

/** Creates the response with a list as JSON. */
async function createWhole(json: string): Promise<ServiceResponse> {
  const body = encodeText(json);
  const etag = await createEtag(body);
  const headers = createHeaders(etag, "Content-Length", `${body.length}`);
  return { status: 200, headers, body };
}

function createHeaders(
  etag: string,
  ...length: readonly string[]
): readonly string[] {
  // deno-fmt-ignore
  return [
    "Content-Type", "application/json",
    ...length,
    "ETag", etag,
    "Cache-Control", "private, no-cache",
    "Vary", "Authorization",
  ];
}
