import { setTimeout as delay } from "node:timers/promises";
import {
  createCloningListener,
  IDLE_CLOSE_DELAY_MS,
  type Listen,
} from "./listen.ts";

/** What of `Bun` is needed, so that no other runtime needs its types. */
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
    // The one timeout of Bun.serve: it ends whatever has been silent so long.
    idleTimeout: Math.min(Math.ceil(headersTimeout / 1_000), 255),
    fetch: createCloningListener(store, options, () => closing),
  });
  return {
    port: server.port,
    async close(deadline) {
      closing = true;
      // A connection whose header is not complete would hold it for ever.
      const timer = setTimeout(() => server.stop(true), deadline);
      await delay(Math.min(IDLE_CLOSE_DELAY_MS, deadline));
      await server.stop();
      clearTimeout(timer);
    },
  };
};
