import { setTimeout as delay } from "node:timers/promises";
import {
  createCloningListener,
  IDLE_CLOSE_DELAY_MS,
  type Listen,
} from "./listen.ts";

/** The part of `Bun` that is used here, so that other runtimes do not need its types. */
interface BunNamespace {
  serve(options: {
    readonly port: number;
    readonly hostname: string;
    readonly development: false;
    /** In seconds, up to 255. */
    readonly idleTimeout: number;
    fetch(request: Request): Response | Promise<Response>;
  }): { readonly port: number; stop(closeActive?: boolean): Promise<void> };
}

/** Listens on `Bun.serve`. */
export const listen: Listen = (store, options) => {
  const { Bun } = globalThis as unknown as { Bun: BunNamespace };
  const { headersTimeout } = options.limits;
  let closing = false;
  const server = Bun.serve({
    port: options.port,
    hostname: options.host,
    development: false,
    // The only timeout of Bun.serve closes connections that have been silent for so long.
    idleTimeout: Math.min(Math.ceil(headersTimeout / 1_000), 255),
    fetch: createCloningListener(store, options, () => closing),
  });
  return {
    port: server.port,
    async close(deadline) {
      closing = true;
      // A connection with incomplete headers would block it forever.
      const timer = setTimeout(() => server.stop(true), deadline);
      await delay(Math.min(IDLE_CLOSE_DELAY_MS, deadline));
      await server.stop();
      clearTimeout(timer);
    },
  };
};
