import { test } from "node:test";
import { metrics } from "@opentelemetry/api";
import {
  AggregationTemporality,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { createHandler } from "plant-store";
import { HOSTS, startHost } from "../tests/integration/examples/hosts.ts";

test("prometheus.ts counts responses by method, path, and status", async (t) => {
  const { command } = HOSTS.find(({ file }) => file === "node_http.ts")!;
  const { port, close } = await startHost([
    ...command!,
    "examples/prometheus.ts",
  ]);
  t.after(close);
  const url = `http://127.0.0.1:${port}`;
  for (const path of ["plants", "plants?limit=1", "invented"]) {
    await (await fetch(`${url}/api/${path}`)).text();
  }
  const text = await (await fetch(`${url}/metrics`)).text();
  for (
    const [labels, count] of [
      ['{method="GET",path="/api/plants",status="401"}', 2],
      ['{method="GET",path="other",status="404"}', 1],
    ]
  ) {
    assertStringIncludes(
      text,
      `http_request_duration_seconds_count${labels} ${count}\n`,
    );
  }
  assertStringIncludes(text, "plants_failures_total 0\n");
});

test("opentelemetry.ts records responses and failures", async () => {
  const exporter = new InMemoryMetricExporter(
    AggregationTemporality.CUMULATIVE,
  );
  const reader = new PeriodicExportingMetricReader({ exporter });
  const provider = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  // Import the module after setting the provider, as if the provider were preloaded.
  const { telemetry } = await import("./opentelemetry.ts");
  const handler = createHandler({
    authenticate() {
      throw new TypeError("broken");
    },
  }, telemetry);
  for (const path of ["/plants", "/plants", "/invented"]) {
    await handler(
      new Request(`http://h${path}`, {
        headers: { authorization: "Bearer t" },
      }),
    );
  }
  await provider.forceFlush();
  const points = exporter.getMetrics().flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.map(({ descriptor, dataPoints }) => ({
        name: descriptor.name,
        points: dataPoints.map(({ attributes, value }) => [
          attributes,
          typeof value === "number" ? value : (value as Histogram).count,
        ]),
      }))
    )
  );
  await provider.shutdown();
  const asked = { "http.request.method": "GET" };
  assertEquals(points, [
    {
      name: "http.server.request.duration",
      points: [
        [{
          ...asked,
          "http.response.status_code": 400,
          "http.route": "/plants",
        }, 2],
        [{ ...asked, "http.response.status_code": 404 }, 1],
      ],
    },
    { name: "plants.failures", points: [[{ "error.type": "TypeError" }, 2]] },
  ]);
});
