import { setTimeout as sleep } from "node:timers/promises";
import { createServerListener, type Listen } from "./listen.ts";

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
export const listen: Listen = (store, options) => {
  const { Deno } = globalThis as unknown as { Deno: DenoNamespace };
  let closing = false;
  const server = Deno.serve(
    { port: options.port, hostname: options.host, onListen() {} },
    createServerListener(store, options, () => closing),
  );
  return {
    port: server.addr.port,
    async drain(pause) {
      closing = true;
      await sleep(pause);
      await server.shutdown();
    },
    abort() {}, // Deno 2.9 throws if a server is aborted while it is shutting down
  };
};
