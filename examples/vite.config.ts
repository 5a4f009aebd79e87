import { createDemoStore } from "plant-store";
import { explorer } from "plant-store/explorer";
import { createNodeListener } from "plant-store/node";
import { openapi } from "plant-store/openapi";
import { defineConfig } from "vite";

const options = { basePath: "/api", explorer, openapi };
const plants = createNodeListener(createDemoStore(), options);

export default defineConfig({
  server: { cors: false }, // otherwise, Vite answers preflight requests of the API
  plugins: [{
    name: "plants",
    configureServer(server) {
      server.middlewares.use("/api", plants);
    },
  }],
});
