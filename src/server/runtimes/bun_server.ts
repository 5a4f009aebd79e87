import { setTimeout as sleep } from "node:timers/promises";
import { createFetchListener } from "./fetch_listener.ts";
import type { StartServer } from "./platform_server.ts";

/** The part of `Bun` that this module uses, so that other runtimes do not need types for it. */
interface BunNamespace {
  serve(
    options: {
      readonly development: boolean;
      readonly idleTimeout: number;
      readonly port: number;
      readonly hostname: string;
      readonly reusePort: boolean;
      fetch(request: Request): Response | Promise<Response>;
    },
  ): { readonly port: number; stop(closeActive?: boolean): Promise<void> };
}

/** Starts a server with `Bun.serve`. */
export const startBunServer: StartServer = (store, options) => {
  const { Bun } = globalThis as unknown as { Bun: BunNamespace };
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
