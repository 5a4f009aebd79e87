import { viewOf } from "../domain/snapshot.ts";
import { checkPlants, type PlantStore, type User } from "../domain/store.ts";
import { readBearer } from "./bearer.ts";
import { createBehave } from "./behave.ts";
import { ResponseCache } from "./response_cache.ts";
import { readLimit } from "./limit.ts";
import type { ServiceOptions } from "./handler_options.ts";
import type { RouteHandler } from "./request.ts";
import {
  createError,
  createEtag,
  encodeJson,
  type ServiceResponse,
} from "./response.ts";
import * as fixed from "./fixed_responses.ts";

/** Creates the function that responds to GET /plants. */
export function createGetPlants(
  store: PlantStore,
  { divide = (json) => json, giveWay }: ServiceOptions,
): RouteHandler {
  const behave = createBehave();
  const cache = new ResponseCache();

  /** Responds with the first `limit` plants that a user can see. */
  async function list(user: User, limit?: number): Promise<ServiceResponse> {
    const view = viewOf(user);
    const plants = await user.list(limit);
    checkPlants(plants);
    const json = encodeJson(plants.slice(0, limit));
    const etag = await createEtag(json);
    const body = divide(json, view, limit);
    const response: ServiceResponse = {
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
      ...view && { prepared: {} },
    };
    if (view) cache.add(view, limit, response);
    return response;
  }

  return async (request, query) => {
    const token = readBearer(request.header("authorization"));
    if (token === undefined) return fixed.noCredentials;
    if (token === "") return fixed.invalidToken;
    const user = await store.authenticate(token);
    if (!user) return fixed.invalidToken;
    request.user = user.name;
    const { limit, problem } = readLimit(query);
    if (problem !== undefined) return createError(400, problem);
    const { behavior } = user;
    const cached = behavior ? undefined : cache.get(viewOf(user), limit);
    if (cached) return cached;

    const failure = behavior &&
      await behave(behavior, token, request.signal?.());
    const turn = failure ? undefined : giveWay?.();
    if (!behavior && !turn) return await list(user, limit);
    await turn;
    const signal = request.signal?.();
    let current: User | undefined = user;
    // The token may have been revoked during the wait. Do not ask a custom store
    // again, because that can take as long as the first time.
    if (!signal?.aborted && (behavior || viewOf(user))) {
      current = await store.authenticate(token);
    }
    if (!current) return fixed.invalidToken;
    request.user = current.name;
    // Only logs show this status, which is nginx's.
    if (signal?.aborted) return createError(499, "Client disconnected");
    return failure ?? cache.get(viewOf(current), limit) ?? list(current, limit);
  };
}
