import { setTimeout as sleep } from "node:timers/promises";
import { createFetchListener } from "./fetch_listener.ts";
import type { StartServer } from "./platform_server.ts";

/** The part of `Deno` that this module uses, so that other runtimes do not need types for it. */
interface DenoNamespace {
  serve(
    options: {
      readonly port: number;
      readonly hostname: string;
      onListen(): void;
    },
    handler: (request: Request) => Response | Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
}

/** Starts a server with `Deno.serve`. */
export const startDenoServer: StartServer = (store, options) => {
  const { Deno } = globalThis as unknown as { Deno: DenoNamespace };
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
