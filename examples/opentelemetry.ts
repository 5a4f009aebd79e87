import { metrics } from "@opentelemetry/api";
import type { HandlerOptions } from "plant-store";

const meter = metrics.getMeter("plant-store");
const durations = meter.createHistogram("http.server.request.duration", {
  description: "Time to produce a response",
  unit: "s",
});
const failures = meter.createCounter("plants.failures", {
  description: "Number of unexpected errors",
});

// Each distinct value uses memory, so leave out values that clients make up.
const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];
const ROUTES = ["/plants", "/healthz", "/readyz"];

/** Options for `createHandler`, `createNodeListener`, and `serve`. */
export const telemetry: Pick<HandlerOptions, "onResponse" | "onError"> = {
  onResponse({ method, path, status, duration }) {
    durations.record(duration / 1_000, {
      "http.request.method": METHODS.includes(method) ? method : "_OTHER",
      "http.response.status_code": status,
      ...ROUTES.includes(path) && { "http.route": path },
    });
  },
  onError(error) {
    failures.add(1, { "error.type": (error as Error)?.name ?? "_OTHER" });
  },
};
