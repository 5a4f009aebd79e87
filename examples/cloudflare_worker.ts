import { createDemoStore, createHandler } from "plant-store";
import { openapi } from "plant-store/openapi";
import { explorer } from "plant-store/explorer";

const plants = createHandler(createDemoStore(), {
  basePath: "/api",
  explorer,
  openapi,
});

export default {
  fetch(request: Request): Response | Promise<Response> {
    // If the Host header is invalid, so is the URL. The handler returns 400.
    const path = URL.parse(request.url)?.pathname;
    if (path === "/hello") return new Response("Hello from the shop\n");
    return plants(request);
  },
};
