import type { PlantStore } from "../../mod.ts";
import type { ServiceOptions } from "../../src/http/options.ts";
import { startServer } from "../../src/server/node/server.ts";
import { LIMITS, type Limits } from "../../src/server/serve/defaults.ts";

/** Starts the Node.js server with other limits than users get. */
export async function listenWith(
  store: PlantStore,
  options: ServiceOptions & Partial<Limits> = {},
): Promise<AsyncDisposable & { readonly port: number }> {
  const host = "127.0.0.1";
  const all = { ...LIMITS, ...options, host, port: 0 };
  const { port, drain, abort } = await startServer(store, all);
  return {
    port,
    async [Symbol.asyncDispose]() {
      const drained = drain(0);
      abort();
      await drained;
    },
  };
}
