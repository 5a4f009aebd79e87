import { createServer } from "node:http";
import { createRequire } from "node:module";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createDemoStore } from "../../../mod.ts";
import { createNodeListener } from "../../../src/server/node.ts";
import { serve } from "../../../src/server/serve.ts";
import { listen } from "../../../tools/port.ts";

// `npm run check` does not need the packages of the tests.
const require = createRequire(import.meta.url);
const [express, compression] = ["express", "compression"]
  .map((name) => require(name));

/** Headers that describe the connection or the encoding. */
const IGNORED = new Set(
  "connection content-encoding content-length date keep-alive transfer-encoding x-powered-by"
    .split(" "),
);

/** Sends a request and returns what is equal with and without compression. */
async function send(url: URL, headers: Readonly<Record<string, string>>) {
  const all = { ...headers, "accept-encoding": "gzip" };
  const response = await fetch(url, { headers: all });
  const encoding = response.headers.get("content-encoding");
  const vary = (response.headers.get("vary") ?? "")
    .replace(/(?:, |^)Accept-Encoding$/, "");
  const others = [...response.headers]
    .filter(([name]) => name !== "vary" && !IGNORED.has(name));
  const body = await response.text();
  return { encoding, response: [response.status, others, vary, body] };
}

/** The headers of each request, by its target. */
const REQUESTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "/plants": { authorization: "Bearer demo-curator" },
  "/plants?limit=1": {},
  "/healthz": {},
  "/unknown": {},
};

test("Express behind compression sends the same responses, compressed", async (t) => {
  const store = createDemoStore();
  const server = await serve(store, { port: 0 });
  t.after(() => server.close());
  const app = express()
    .use(compression({ threshold: 0 }), createNodeListener(store));
  const port = await listen(t, createServer(app));
  for (const [target, headers] of Object.entries(REQUESTS)) {
    const plain = await send(new URL(target, server.url), headers);
    const url = new URL(target, `http://127.0.0.1:${port}`);
    const compressed = await send(url, headers);
    assertEquals([plain.encoding, compressed.encoding], [null, "gzip"]);
    assertEquals(compressed.response, plain.response);
  }
});
