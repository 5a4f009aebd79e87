import { serve } from "../../src/listen/serve.ts";
import { FAILING, OPTIONS } from "./setups.ts";
import { openFiles } from "./stores.ts";
import { testContract } from "./suite.ts";
import { sendOverWire } from "./wire.ts";

const runtime = "Deno" in globalThis
  ? "Deno.serve"
  : "Bun" in globalThis
  ? "Bun.serve"
  : "node:http";

testContract(`${runtime} over a socket`, async (setup) => {
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
});
