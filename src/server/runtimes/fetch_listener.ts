import type { PlantStore } from "../../core/domain/store.ts";
import { cloneResponse, createFetchAdapter } from "../../core/fetch_adapter.ts";
import type { ServiceOptions } from "../../core/http/handler_options.ts";
import { createService } from "../../core/http/service.ts";
import { createTurns } from "./turns.ts";

/** Creates the function that `Deno.serve` and `Bun.serve` call for each request. */
export function createFetchListener(
  store: PlantStore,
  options: ServiceOptions,
): (request: Request) => Promise<Response> {
  const takeTurn = createTurns(); // Bun reads chunks until the client's buffers are full
  const listener = createFetchAdapter(
    createService(store, options),
    (found) => cloneResponse(found, takeTurn),
  );
  return (request) => listener(request); // they pass other arguments, too
}
