import { isUnavailable, type PlantStore } from "../domain/store.ts";
import * as fixed from "./fixed_responses.ts";
import type { ServiceOptions } from "./handler_options.ts";
import type { RouteHandler } from "./request.ts";
import type { Service } from "./responder.ts";
import { createJson } from "./response.ts";

export function createGetReadiness(
  store: PlantStore,
  { reportError }: Pick<Service, "reportError">,
  { state }: ServiceOptions,
): RouteHandler {
  return async () => {
    if (state?.isShuttingDown) return fixed.unavailable;
    try {
      const { loadedAt, rejectedAt } = await store.ready?.() ?? {};
      return createJson(200, { status: "ok", loadedAt, rejectedAt });
    } catch (error) {
      if (!isUnavailable(error)) reportError(error);
      return fixed.unavailable;
    }
  };
}
