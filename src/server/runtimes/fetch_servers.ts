import { setTimeout as sleep } from "node:timers/promises";
import type { PlantStore } from "../../core/domain/store.ts";
import { cloneResponse, createFetchAdapter } from "../../core/fetch_adapter.ts";
import type { ServiceOptions } from "../../core/http/handler_options.ts";
import { createService } from "../../core/http/service.ts";
import type { StartServer } from "./platform_server.ts";
import { createTurns } from "./turns.ts";

type FetchListener = (request: Request) => Promise<Response>;

/** What this module uses of `Deno` and `Bun`, so that other runtimes do not need types for them. */
const { Deno, Bun } = globalThis as unknown as {
  readonly Deno: {
    serve(options: object, handler: FetchListener): {
      readonly addr: { readonly port: number };
      shutdown(): Promise<void>;
    };
  };
  readonly Bun: {
    serve(options: object): {
      readonly port: number;
      stop(closeActive?: boolean): Promise<void>;
    };
  };
};

export const startDenoServer: StartServer = (store, options) => {
  const server = Deno.serve(
    { port: options.port, hostname: options.host, onListen() {} },
    createFetchListener(store, options),
  );
  return {
    port: server.addr.port,
    async drain(pause) {
      await sleep(pause);
      await server.shutdown();
    },
    abort() {}, // Deno 2.9 throws if a server is aborted while it is shutting down
  };
};

export const startBunServer: StartServer = (store, options) => {
  const server = Bun.serve({
    port: options.port,
    hostname: options.host,
    reusePort: false, // by default, Bun 1.4 can share the port
    development: false,
    // In seconds. Bun checks it every 4 s and can apply it 2 s early.
    idleTimeout: 14,
    fetch: createFetchListener(store, options),
  });
  return {
    port: server.port,
    async drain(pause) {
      await sleep(pause);
      await server.stop();
    },
    // Otherwise, a connection with incomplete headers would block stop() forever.
    abort: () => void server.stop(true),
  };
};

/** Creates the function that the servers call for each request. */
function createFetchListener(
  store: PlantStore,
  options: ServiceOptions,
): FetchListener {
  const takeTurn = createTurns(); // Bun reads chunks until the client's buffers are full
  const listener = createFetchAdapter(
    createService(store, options),
    (found) => cloneResponse(found, takeTurn),
  );
  return (request) => listener(request); // they pass other arguments, too
}
