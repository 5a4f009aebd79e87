import { createEtag } from "../domain/etag.ts";
import { andThen, type MaybePromise } from "../domain/maybe_promise.ts";
import type { Plant } from "../domain/plant.ts";
import type { PlantStore, User } from "../domain/store.ts";
import { readBearer } from "./bearer.ts";
import { createBehave } from "./behavior.ts";
import { readLimit } from "./limit.ts";
import type { RouteHandler } from "./request.ts";
import { createError, encodeJson, type ServiceResponse } from "./response.ts";
import * as responses from "./responses.ts";

/** Creates the function that responds to GET /plants. */
export function createGetPlants(store: PlantStore): RouteHandler {
  const behave = createBehave();
  /** The responses with frozen lists, which never change. */
  const kept = new WeakMap<readonly Plant[], ServiceResponse>();

  /** Responds with the first `limit` plants that a user can see, or all of them. */
  function list(
    user: User,
    limit: number | undefined,
  ): MaybePromise<ServiceResponse> {
    return andThen(user.list(limit), (plants) => {
      if (!Array.isArray(plants)) {
        throw new TypeError("expected a list of plants");
      }
      const isCut = plants.length > (limit ?? Infinity);
      const shown = isCut ? plants.slice(0, limit) : plants;
      return kept.get(shown) ??
        andThen(createListResponse(shown), (response) => {
          if (response.isReused) kept.set(shown, response);
          return response;
        });
    });
  }

  return (request, query) => {
    const token = readBearer(request.header("authorization"));
    if (token === undefined) return responses.noCredentials;
    if (token === "") return responses.invalidToken;
    return andThen(store.authenticate(token), (user) => {
      if (!user) return responses.invalidToken;
      request.user = user.name;
      const limit = readLimit(query);
      if (typeof limit === "string") return createError(400, limit);
      const { behavior } = user;
      if (!behavior) return list(user, limit);
      return behave(behavior, token).then(async (failure) => {
        // Only logs show this status, which is nginx's.
        if (request.isAborted?.()) {
          return createError(499, "Client disconnected");
        }
        // The token can have been revoked during the delay.
        const now = await store.authenticate(token);
        return now ? failure ?? list(now, limit) : responses.invalidToken;
      });
    });
  };
}

function createListResponse(
  plants: readonly Plant[],
): MaybePromise<ServiceResponse> {
  const body = encodeJson(plants);
  return andThen(createEtag(body), (etag) => ({
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
    isReused: Object.isFrozen(plants),
  }));
}
