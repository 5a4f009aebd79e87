import { setTimeout as sleep } from "node:timers/promises";
import {
  createServerListener,
  IDLE_CLOSE_DELAY_MS,
  type Listen,
} from "./listen.ts";

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
    async close(deadline) {
      closing = true;
      // Deno 2.9 throws if a server is aborted while it is shutting down.
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, deadline);
      });
      await Promise.race([
        shutDown(Math.min(IDLE_CLOSE_DELAY_MS, deadline)),
        late,
      ]);
      clearTimeout(timer);
    },
  };

  async function shutDown(moment: number): Promise<void> {
    await sleep(moment);
    await server.shutdown();
  }
};
