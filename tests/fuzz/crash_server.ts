import { createServer } from "node:http";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { createMemoryStore, type PlantStore } from "../../mod.ts";
import { openapi } from "../../src/openapi/openapi.ts";
import { page } from "../../src/page/page.ts";
import { createNodeListener } from "../../src/server/node.ts";
import { serve } from "../../src/server/serve.ts";
import { listen } from "../support/port.ts";
import { portOf } from "../support/server.ts";

// The server for crash.ts: `crash_server.ts serve|http|express`. Prints two ports;
// the server on the second one delays responses.

/** Lists with these tokens are text or bytes, and the token can take time. */
const memory = createMemoryStore({
  plants: Array.from({ length: 20 }, (_, index) => ({ name: `é ${index}` })),
  users: { u: { plants: "all", tokens: ["bytes"] } },
});
const store: PlantStore = {
  async authenticate(token) {
    if (token === "slow") await setTimeout(Math.random() * 5);
    const list = () => [{ name: "a" }];
    return token === "bytes" ? memory.authenticate(token) : { user: "u", list };
  },
};
const sync: PlantStore = {
  authenticate: (token) =>
    token === "slow" ? store.authenticate(token) : memory.authenticate("bytes"),
};
const options = { page, openapi, onResponse() {} };
const delay = "0-5";

/** The servers run until the process ends. */
const FOREVER = { after() {} };

async function start(kind: string): Promise<readonly number[]> {
  if (kind === "serve") {
    const servers = await Promise.all([
      serve(sync, { ...options, port: 0 }),
      serve(store, { ...options, port: 0, delay }),
    ]);
    return servers.map(portOf);
  }
  const listeners = [
    createNodeListener(sync, options),
    createNodeListener(store, { ...options, delay }),
  ];
  if (kind === "http") {
    return Promise.all(
      listeners.map((each) => listen(FOREVER, createServer(each))),
    );
  }
  const path = "../../examples/node_modules/express/index.js";
  const { default: express } = await import(path);
  return Promise.all(
    listeners.map((each) => listen(FOREVER, createServer(express().use(each)))),
  );
}

console.log((await start(process.argv[2]!)).join(" "));
