import { serve } from "../../src/server/serve.ts";
import { FAILING, OPTIONS } from "./setups.ts";
import { openFiles } from "./stores.ts";
import type { Setup } from "./cases.ts";
import type { Service } from "./suite.ts";
import { sendOverWire } from "./wire.ts";

/** The name of the service behind the server of this runtime. */
export const OVER_SOCKET: string = `${
  "Deno" in globalThis
    ? "Deno.serve"
    : "Bun" in globalThis
    ? "Bun.serve"
    : "node:http"
} over a socket`;

/** Starts the server of a setup, with a file store if it lists plants. */
export async function openOverSocket(setup: Setup): Promise<Service> {
  const files = FAILING[setup] ? undefined : await openFiles();
  const server = await serve(files ?? FAILING[setup]!, {
    port: 0,
    ...OPTIONS[setup],
  });
  const port = Number(new URL(server.url).port);
  return {
    send: (request) => sendOverWire(port, request),
    async close() {
      await server.close();
      await files?.close();
    },
  };
}
