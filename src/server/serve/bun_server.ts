import { setTimeout as sleep } from "node:timers/promises";
import {
  createServerListener,
  IDLE_CLOSE_DELAY_MS,
  type Listen,
} from "./listen.ts";

/** The part of `Bun` that this module uses, so that other runtimes do not need types for it. */
interface BunNamespace {
  serve(options: {
    readonly port: number;
    readonly hostname: string;
    readonly development: false;
    /** In seconds, at most 255. */
    readonly idleTimeout: number;
    fetch(request: Request): Response | Promise<Response>;
  }): { readonly port: number; stop(closeActive?: boolean): Promise<void> };
}

/** Starts a server with `Bun.serve`. */
export const listen: Listen = (store, options) => {
  const { Bun } = globalThis as unknown as { Bun: BunNamespace };
  const { headersTimeout } = options.limits;
  let closing = false;
  const server = Bun.serve({
    port: options.port,
    hostname: options.host,
    development: false,
    // The only timeout that Bun.serve can set. It does not apply to headers, which
    // must arrive within a fixed 12 s.
    idleTimeout: Math.min(Math.ceil(headersTimeout / 1_000), 255),
    fetch: createServerListener(store, options, () => closing),
  });
  return {
    port: server.port,
    async close(deadline) {
      closing = true;
      // Otherwise, a connection with incomplete headers blocks stop() forever.
      const timer = setTimeout(() => server.stop(true), deadline);
      await sleep(Math.min(IDLE_CLOSE_DELAY_MS, deadline));
      await server.stop();
      clearTimeout(timer);
    },
  };
};
