import process from "node:process";
import fastify from "fastify";
import { createNodeListener } from "plant-store/node";
import { store } from "./store.ts";

const plants = createNodeListener(store, { basePath: "/api" });
const app = fastify();

app.get("/hello", () => "Hello from the shop\n");

// Pass requests with any method under /api to the listener before Fastify reads
// their bodies.
app.register((api, _options, done) => {
  api.addHook("onRequest", (request, reply) => {
    reply.hijack();
    plants(request.raw, reply.raw);
    return Promise.resolve();
  });
  api.setNotFoundHandler(() => {});
  done();
}, { prefix: "/api" });

const port = Number(process.env["PORT"] ?? 8000);
await app.listen({ port, host: "127.0.0.1" });
console.log(`Plants at http://127.0.0.1:${port}/api/plants`);
