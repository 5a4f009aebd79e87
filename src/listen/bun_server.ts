import { createResponder } from "../answer/handler.ts";
import type { Listen } from "./listen.ts";

/** What of `Bun` is needed, so that no other runtime needs its types. */
interface BunNamespace {
  serve(options: {
    readonly port: number;
    readonly hostname: string;
    readonly development: false;
    fetch(request: Request): Response | Promise<Response>;
  }): { readonly port: number; stop(closeActive?: boolean): Promise<void> };
}

/** Listens on `Bun.serve`. */
export const listen: Listen = (store, options) => {
  const { Bun } = globalThis as unknown as { Bun: BunNamespace };
  const server = Bun.serve({
    port: options.port,
    hostname: options.host,
    development: false,
    fetch: createResponder(store, options),
  });
  return {
    port: server.port,
    async close(deadline) {
      // A connection whose header is not complete would hold it for ever.
      const timer = setTimeout(() => server.stop(true), deadline);
      await server.stop();
      clearTimeout(timer);
    },
  };
};
