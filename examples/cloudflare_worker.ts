import { createHandler } from "plant-store";
import { openapi } from "plant-store/openapi";
import { page } from "plant-store/page";
import { store } from "./demo_store.ts";

const plants = createHandler(store, { basePath: "/api", page, openapi });

export default {
  fetch(request: Request): Response | Promise<Response> {
    // If the Host header is invalid, so is the URL. The handler returns 400.
    const path = URL.parse(request.url)?.pathname;
    if (path === "/hello") return new Response("Hello from the shop\n");
    return plants(request);
  },
};
