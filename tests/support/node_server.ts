import type { PlantStore } from "../../mod.ts";
import type { ServiceOptions } from "../../src/core/http/handler_options.ts";
import { startNodeServer } from "../../src/server/runtimes/node_server.ts";
import { LIMITS, type Limits } from "../../src/server/runtimes/defaults.ts";
import type { PlatformServer } from "../../src/server/runtimes/platform_server.ts";

/** Starts the Node.js server with other limits than users get. */
export async function listenWith(
  store: PlantStore,
  options: ServiceOptions & Partial<Limits> = {},
): Promise<PlatformServer & AsyncDisposable> {
  const host = "127.0.0.1";
  const all = { ...LIMITS, ...options, host, port: 0 };
  const server = await startNodeServer(store, all);
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      const drained = server.drain(0);
      server.abort();
      await drained;
    },
  };
}
