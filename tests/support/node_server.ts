import type { PlantStore } from "../../mod.ts";
import type { ServiceOptions } from "../../src/http/handler_options.ts";
import { startServer } from "../../src/server/runtimes/node_server.ts";
import { LIMITS, type Limits } from "../../src/server/runtimes/defaults.ts";
import type { RunningServer } from "../../src/server/runtimes/start_server.ts";

/** Starts the Node.js server with other limits than users get. */
export async function listenWith(
  store: PlantStore,
  options: ServiceOptions & Partial<Limits> = {},
): Promise<RunningServer & AsyncDisposable> {
  const host = "127.0.0.1";
  const all = { ...LIMITS, ...options, host, port: 0 };
  const server = await startServer(store, all);
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      const drained = server.drain(0);
      server.abort();
      await drained;
    },
  };
}
