import { createServer } from "node:http";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { createMemoryStore, type PlantStore } from "../../mod.ts";
import { openapi } from "../../src/openapi/openapi.ts";
import { page } from "../../src/page/page.ts";
import { createNodeListener } from "../../src/server/node.ts";
import { serve } from "../../src/server/serve.ts";
import { listen } from "../support/port.ts";
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
const store: PlantStore = {
  async authenticate(token) {
    if (isSlow === "true") await setTimeout(Math.random() * 5);
    const viewer = await memory.authenticate(token);
    if (!viewer || Math.random() < 0.5) return viewer;
    return { ...viewer, list: async (limit) => [...await viewer.list(limit)] };
  },
};
const options = {
  ...isSlow === "true" ? { delay: "0-5" } : {},
  page,
  openapi,
  onResponse() {},
};

async function listenWith(kind: string | undefined): Promise<string> {
  if (kind === "serve") {
    const own = { ...options, port: 0, limits: JSON.parse(limits) };
    return (await serve(store, own)).url;
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
console.log(`Listening on ${await listenWith(kind)}`);
