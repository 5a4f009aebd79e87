import { createHandler } from "../answer/handler.ts";
import type { Listen } from "./listen.ts";

/** What of `Deno` is needed, so that no other runtime needs its types. */
interface DenoNamespace {
  serve(
    options: {
      readonly port: number;
      readonly hostname: string;
      onListen(): void;
    },
    handler: (request: Request) => Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
}

/** Listens on `Deno.serve`. */
export const listen: Listen = (store, options) => {
  const { Deno } = globalThis as unknown as { Deno: DenoNamespace };
  const server = Deno.serve(
    { port: options.port, hostname: options.host, onListen() {} },
    createHandler(store, options),
  );
  return {
    port: server.addr.port,
    async close(deadline) {
      // A server that shuts down can't be aborted any more (Deno 2.9 throws).
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, deadline);
      });
      await Promise.race([server.shutdown(), late]);
      clearTimeout(timer);
    },
  };
};
