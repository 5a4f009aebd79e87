import { serve } from "../../src/server/serve.ts";
import { portOf } from "../support/server.ts";
import { OPTIONS } from "./setups.ts";
import { openFiles } from "./stores.ts";
import { testContract } from "./suite.ts";
import { createSender } from "./wire.ts";

const SERVER = "Deno" in globalThis
  ? "Deno.serve"
  : "Bun" in globalThis
  ? "Bun.serve"
  : "node:http";

testContract(`${SERVER} over a socket`, async (setup) => {
  const store = await openFiles();
  const server = await serve(store, { port: 0, ...OPTIONS[setup] });
  return {
    send: createSender(portOf(server)),
    async close() {
      await server.close();
      await store.close();
    },
  };
});
