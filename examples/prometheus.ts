import { createServer } from "node:http";
import process from "node:process";
import { createNodeListener } from "plant-store/node";
import { Counter, Histogram, register } from "prom-client";
import { store } from "./store.ts";

const durations = new Histogram({
  name: "http_request_duration_seconds",
  help: "Time to produce a response",
  labelNames: ["method", "path", "status"],
  buckets: [0.0001, 0.001, 0.01, 0.1, 1],
});
const failures = new Counter({
  name: "plants_failures_total",
  help: "Number of unexpected errors",
});

// Each distinct label uses memory, so all unknown paths share one label.
const PATHS = ["/api/plants", "/api/healthz", "/api/readyz"];

const plants = createNodeListener(store, {
  basePath: "/api",
  onResponse({ method, path, status, duration }) {
    const label = PATHS.includes(path) ? path : "other";
    durations.observe({ method, path: label, status }, duration / 1_000);
  },
  onError: () => failures.inc(),
});

const server = createServer(async (request, response) => {
  if (request.url === "/hello") response.end("Hello from the shop\n");
  else if (request.url === "/metrics") {
    response.setHeader("Content-Type", register.contentType);
    response.end(await register.metrics());
  } else plants(request, response);
});

const port = Number(process.env["PORT"] ?? 8000);
server.listen(port, "127.0.0.1", () => {
  console.log(`Plants at http://127.0.0.1:${port}/api/plants`);
});
