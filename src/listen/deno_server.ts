import { createHandler } from "../answer/handler.ts";
import type { Listen } from "./serve.ts";

/** What of `Deno` is needed, so that no other runtime needs its types. */
interface DenoNamespace {
  serve(
    options: {
      readonly port: number;
      readonly hostname: string;
      readonly signal: AbortSignal;
      onListen(): void;
    },
    handler: (request: Request) => Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
}

/** Listens on `Deno.serve`. */
export const listen: Listen = (store, options) => {
  const { Deno } = globalThis as unknown as { Deno: DenoNamespace };
  const { port, host: hostname } = options;
  const abort = new AbortController();
  const server = Deno.serve(
    { port, hostname, signal: abort.signal, onListen() {} },
    createHandler(store, options),
  );
  return {
    port: server.addr.port,
    async close(deadline) {
      const timer = setTimeout(() => abort.abort(), deadline);
      await server.shutdown();
      clearTimeout(timer);
    },
  };
};
