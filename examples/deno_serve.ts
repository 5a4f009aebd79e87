import { createHandler } from "plant-store";
import { store } from "./store.ts";

const plants = createHandler(store, { basePath: "/api" });

const port = Number(Deno.env.get("PORT") ?? 8000);
Deno.serve({
  port,
  hostname: "127.0.0.1",
  onListen() {
    console.log(`Plants at http://127.0.0.1:${port}/api/plants`);
  },
}, (request) => {
  // If the Host header is invalid, so is the URL. The handler returns 400.
  const path = URL.parse(request.url)?.pathname;
  if (path === "/hello") return new Response("Hello from the shop\n");
  return plants(request);
});
