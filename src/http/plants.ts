import { STATUS_CODE } from "@std/http/status";
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
import type { Get } from "./request.ts";
import {
  createError,
  type CreateResponse,
  type ServiceResponse,
} from "./response.ts";
import type { Responses } from "./responses.ts";

/** Creates the function that responds to GET /plants. */
export function createGetPlants(
  store: PlantStore,
  create: CreateResponse,
  responses: Responses,
): Get {
  return (request, query) => {
    const token = readBearer(request.header("authorization"));
    if (token === undefined) return responses.noCredentials;
    if (token === "") return responses.invalidToken;
    return andThen(store.authenticate(token), (viewer) => {
      if (!viewer) return responses.invalidToken;
      request.user = viewer.user;
      const limit = readLimit(query);
      if (typeof limit === "string") {
        return createError(create, STATUS_CODE.BadRequest, limit);
      }
      return andThen(
        list(viewer, limit),
        (list) => createListResponse(create, list),
      );
    });
  };
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

function createListResponse(
  create: CreateResponse,
  { body, etag }: EncodedList,
): ServiceResponse {
  // deno-fmt-ignore
  return create(STATUS_CODE.OK, [
    "Content-Type", "application/json",
    "Content-Length", `${body.length}`,
    "ETag", etag,
    "Cache-Control", "private, no-cache",
    "Vary", "Authorization",
  ], body);
}
