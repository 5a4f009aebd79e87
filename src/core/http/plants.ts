import type { PlantStore } from "../domain/store.ts";
import { readBearer } from "./bearer.ts";
import { createBehave } from "./behave.ts";
import { readLimit } from "./limit.ts";
import { createList } from "./list_response.ts";
import type { RouteHandler } from "./request.ts";
import type { Service } from "./responder.ts";
import { createError } from "./response.ts";
import * as fixed from "./fixed_responses.ts";

export function createGetPlants(
  store: PlantStore,
  service: Pick<Service, "reportError">,
): RouteHandler {
  const behave = createBehave();
  const list = createList(service);

  return async (request, query) => {
    const token = readBearer(request.header("authorization"));
    if (token === undefined) return fixed.noCredentials;
    if (token === "") return fixed.invalidToken;
    let user = await store.authenticate(token);
    if (!user) return fixed.invalidToken;
    request.user = user.name;
    const { limit, problem } = readLimit(query);
    if (problem !== undefined) return createError(400, problem);
    if (!user.behavior) return list(user, limit);

    const signal = request.signal?.();
    const failure = await behave(user.behavior, token, signal);
    if (signal?.aborted) return fixed.disconnected;
    user = await store.authenticate(token); // the token may have been revoked during the delay
    if (!user) return fixed.invalidToken;
    request.user = user.name;
    return failure ?? list(user, limit);
  };
}
