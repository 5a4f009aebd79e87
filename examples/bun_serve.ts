import { createHandler } from "plant-store";
import { store } from "./store.ts";

const plants = createHandler(store, { basePath: "/api" });

const server = Bun.serve({
  port: Number(Bun.env["PORT"] ?? 8000),
  hostname: "127.0.0.1",
  routes: {
    "/hello": new Response("Hello from the shop\n"),
  },
  fetch: (request) => plants(request),
});

console.log(`Plants at ${server.url}api/plants`);
