import { andThen, type MaybePromise } from "../internal/maybe_promise.ts";
import type { Plant } from "../domain/plant.ts";
import { checkPlants, type PlantStore, type User } from "../domain/store.ts";
import { readBearer } from "./bearer.ts";
import { createBehave } from "./behave.ts";
import { KeptResponses } from "./kept_responses.ts";
import { readLimit } from "./limit.ts";
import type { RouteHandler } from "./request.ts";
import {
  createError,
  createEtag,
  encodeJson,
  type ServiceResponse,
} from "./response.ts";
import * as fixed from "./fixed_responses.ts";

/** Creates the function that responds to GET /plants. */
export function createGetPlants(store: PlantStore): RouteHandler {
  const behave = createBehave();
  const kept = new KeptResponses();

  /** Responds with the first `limit` plants that a user can see. */
  function list(user: User, limit?: number): MaybePromise<ServiceResponse> {
    return kept.get(user, limit) ?? andThen(user.list(limit), (plants) => {
      checkPlants(plants);
      return andThen(
        createListResponse(plants.slice(0, limit)),
        (response) => kept.add(user, limit, response),
      );
    });
  }

  return (request, query) => {
    const token = readBearer(request.header("authorization"));
    if (token === undefined) return fixed.noCredentials;
    if (token === "") return fixed.invalidToken;
    return andThen(store.authenticate(token), (user) => {
      if (!user) return fixed.invalidToken;
      request.user = user.name;
      const { limit, problem } = readLimit(query);
      if (problem !== undefined) return createError(400, problem);
      const { behavior } = user;
      if (!behavior) return list(user, limit);
      const signal = request.signal?.();
      return behave(behavior, token, signal).then(async (failure) => {
        // Only logs show this status, which is nginx's.
        if (signal?.aborted) {
          return createError(499, "Client disconnected");
        }
        // The token can have been revoked during the delay.
        const now = await store.authenticate(token);
        return now ? failure ?? list(now, limit) : fixed.invalidToken;
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
  }));
}
