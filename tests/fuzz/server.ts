import { createServer } from "node:http";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { createMemoryStore, withBehavior } from "../../mod.ts";
import { openapi } from "../../src/openapi/openapi.ts";
import { createNodeListener } from "../../src/server/node.ts";
import { listenWith } from "../support/node_server.ts";
import { listen } from "../../tools/port.ts";

// Serves plants from a store that sometimes takes time, with lists as text or as bytes:
// `server.ts serve|http|express`. Prints its port.

const memory = createMemoryStore({
  plants: [{ name: "fern" }, { name: "é".repeat(10_000) }],
  users: { all: { plants: "all", tokens: ["t"] } },
});
const sometimesSlow = {
  async authenticate(token: string) {
    if (Math.random() < 0.3) await setTimeout(Math.random() * 5);
    return memory.authenticate(token);
  },
};
const store = withBehavior(sometimesSlow, {}, { delay: "0-2" });
const options = { openapi, onResponse() {} };

/** Starts a server and returns its port. */
const SERVERS: Readonly<Record<string, () => Promise<number>>> = {
  async serve() {
    const { port } = await listenWith(store, options);
    return port;
  },
  http: () => host(createNodeListener(store, options)),
  async express() {
    const path = "express";
    const { default: express } = await import(path);
    return host(express().use(createNodeListener(store, options)));
  },
};

function host(listener: ReturnType<typeof createNodeListener>) {
  const server = createServer(listener);
  server.maxHeadersCount = 0; // otherwise, Node.js drops headers
  return listen({ after() {} }, server);
}

process.on("SIGTERM", () => process.exit());
console.log(`port ${await SERVERS[process.argv[2] ?? ""]!()}`);
