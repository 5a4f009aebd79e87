import { setTimeout as sleep } from "node:timers/promises";
import { createServerListener, type Listen } from "./listen.ts";
import type { Limits } from "./limits.ts";

/** The part of `Bun` that this module uses, so that other runtimes do not need types for it. */
interface BunNamespace {
  serve(
    options: ReturnType<typeof toBunOptions> & {
      readonly port: number;
      readonly hostname: string;
      readonly reusePort: boolean;
      fetch(request: Request): Response | Promise<Response>;
    },
  ): { readonly port: number; stop(closeActive?: boolean): Promise<void> };
}

/**
 * Returns the options for limits. The idle timeout, in seconds, is the only one that
 * Bun can set. Bun checks it every 4 s and can apply it 2 s early, so without a
 * margin, responses with a shorter delay would be lost.
 */
export function toBunOptions(
  { headersTimeout }: Required<Limits>,
): { readonly development: false; readonly idleTimeout: number } {
  const idleTimeout = Math.min(Math.ceil(headersTimeout / 1_000) + 4, 255);
  return { development: false, idleTimeout };
}

/** Starts a server with `Bun.serve`. */
export const listen: Listen = (store, options) => {
  const { Bun } = globalThis as unknown as { Bun: BunNamespace };
  let closing = false;
  const server = Bun.serve({
    port: options.port,
    hostname: options.host,
    reusePort: false, // by default, Bun 1.4 can share the port
    ...toBunOptions(options.limits),
    fetch: createServerListener(store, options, () => closing),
  });
  return {
    port: server.port,
    async drain(pause) {
      closing = true;
      await sleep(pause);
      await server.stop();
    },
    // Otherwise, a connection with incomplete headers would block stop() forever.
    abort: () => void server.stop(true),
  };
};
