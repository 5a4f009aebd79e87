import {
  ENCODE,
  type EncodedList,
  encodeList,
  type EncodingViewer,
} from "../domain/encoded_list.ts";
import { andThen, type MaybePromise } from "../domain/maybe_promise.ts";
import type { PlantStore, Viewer } from "../domain/store.ts";
import { readBearer } from "./bearer.ts";
import { readLimit } from "./limit.ts";
import type { ServiceRequest } from "./request.ts";
import { createError, type ServiceResponse } from "./response.ts";
import * as responses from "./responses.ts";

/**
 * Responds to GET /plants.
 *
 * @param query The query of the target, without its question mark.
 */
export function getPlants(
  store: PlantStore,
  request: ServiceRequest,
  query: string,
): MaybePromise<ServiceResponse> {
  const token = readBearer(request.header("authorization"));
  if (token === undefined) return responses.noCredentials;
  if (token === "") return responses.invalidToken;
  return andThen(store.authenticate(token), (viewer) => {
    if (!viewer) return responses.invalidToken;
    request.user = viewer.user;
    const limit = readLimit(query);
    if (typeof limit === "string") return createError(400, limit);
    return andThen(list(viewer, limit), createListResponse);
  });
}

/** Returns the first `limit` plants that a user can see, or all of them. */
function list(
  viewer: Viewer | EncodingViewer,
  limit: number | undefined,
): MaybePromise<EncodedList> {
  if (ENCODE in viewer.list) return viewer.list[ENCODE](limit);
  return andThen(viewer.list(limit), (plants) => {
    if (!Array.isArray(plants)) {
      throw new TypeError("expected a list of plants");
    }
    return encodeList(plants.slice(0, limit));
  });
}

function createListResponse({ body, etag }: EncodedList): ServiceResponse {
  return {
    status: 200,
    // deno-fmt-ignore
    headers: [
      "Content-Type", "application/json",
      "Content-Length", `${body.length}`,
      "ETag", etag,
      "Cache-Control", "private, no-cache",
      "Vary", "Authorization",
    ],
    body,
  };
}
