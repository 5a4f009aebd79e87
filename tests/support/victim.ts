import { createServer } from "node:http";
import process from "node:process";
import { createMemoryStore } from "../../mod.ts";
import { openapi } from "../../src/openapi/openapi.ts";
import { page } from "../../src/page/page.ts";
import { createNodeListener } from "../../src/server/node.ts";
import { serve } from "../../src/server/serve.ts";
import { listen } from "./port.ts";
import { portOf } from "./server.ts";

// A server in a separate process, for attacks: `victim.ts serve|http`. Sends its
// port, and how much CPU time and memory it uses after each message.

const store = createMemoryStore({
  plants: [],
  users: { u: { plants: "all", tokens: ["demo-curator"] } },
});

async function start(kind: string): Promise<number> {
  if (kind === "serve") {
    const limits = { sendTimeout: 3_000, keepAliveTimeout: 3_000 };
    return portOf(await serve(store, { port: 0, page, openapi, limits }));
  }
  const server = createServer(createNodeListener(store, { page, openapi }));
  return await listen({ after() {} }, server);
}

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  gc!();
  const { heapUsed, external } = process.memoryUsage();
  process.send!({
    cpu: (user + system) / 1e3,
    memory: (heapUsed + external) / 1e6,
  });
});
process.on("disconnect", () => process.exit());
process.send!(await start(process.argv[2]!));
