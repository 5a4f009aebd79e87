import { createHandler } from "plant-store";
import { store } from "./store.ts";

const plants = createHandler(store, { basePath: "/api" });

export default {
  fetch(request: Request): Response | Promise<Response> {
    // A Host that is none makes a URL that is none: the plants answer it.
    const path = URL.parse(request.url)?.pathname;
    if (path === "/hello") return new Response("Hello from the shop\n");
    return plants(request);
  },
};
