import { createServer } from "node:http";
import process from "node:process";
import { createNodeListener } from "plant-store/node";
import { store } from "./store.ts";

const plants = createNodeListener(store, { basePath: "/api" });

const server = createServer((request, response) => {
  if (request.url === "/hello") response.end("Hello from the shop\n");
  else plants(request, response);
});

const port = Number(process.env["PORT"] ?? 8000);
server.listen(port, "127.0.0.1", () => {
  console.log(`Plants at http://127.0.0.1:${port}/api/plants`);
});
