import { createServer } from "node:http";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { createMemoryStore, type PlantStore, withBehavior } from "../../mod.ts";
import { openapi } from "../../src/openapi/openapi.ts";
import { explorer } from "../../src/explorer/explorer.ts";
import { createNodeListener } from "../../src/server/node.ts";
import { listen } from "../support/port.ts";
import { listenWith } from "../support/node_server.ts";
import { SERVICE } from "./server.ts";

// Serves the plants of the fuzz test from a store that responds asynchronously, with
// lists or with text: `host.ts serve|http|express true|false [LIMITS]`.

const [kind, isSlow, limits = '{"keepAliveTimeout":60000}'] = process.argv
  .slice(2);

const memory = createMemoryStore({
  plants: SERVICE.plants,
  users: Object.fromEntries(
    Array.from(SERVICE.users, ([token, plants]) => [
      token,
      { plants, tokens: [token] },
    ]),
  ),
});
const direct: PlantStore = {
  async authenticate(token) {
    if (isSlow === "true") await setTimeout(Math.random() * 5);
    const user = await memory.authenticate(token);
    if (!user || Math.random() < 0.5) return user;
    return { ...user, list: async (limit) => [...await user.list(limit)] };
  },
};
const store = isSlow === "true"
  ? withBehavior(direct, {}, { delay: "0-5" })
  : direct;
const options = {
  explorer,
  openapi,
  onResponse() {},
};

async function startHost(kind: string | undefined): Promise<string> {
  if (kind === "serve") {
    const { port } = await listenWith(store, {
      ...options,
      ...JSON.parse(limits),
    });
    return `http://127.0.0.1:${port}/`;
  }
  let listener = createNodeListener(store, options);
  if (kind === "express") {
    const path = "../../examples/node_modules/express/index.js";
    const { default: express } = await import(path);
    listener = express().use(listener);
  }
  const server = createServer(listener);
  server.maxHeadersCount = 0; // otherwise, Node.js drops headers
  const port = await listen({ after() {} }, server);
  return `http://127.0.0.1:${port}/`;
}

process.on("SIGTERM", () => process.exit());
console.log(`Listening on ${await startHost(kind)}`);
