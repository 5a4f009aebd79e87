import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { createMemoryStore } from "../../../mod.ts";
import { exchange, openWire, parseResponses } from "../../contract/wire.ts";
import {
  BODY,
  CLOSING as CLOSING_PLANTS,
  GET,
  store as memory,
} from "../../support/server.ts";
import { listenWith } from "../../support/node_server.ts";
import { until } from "../../support/until.ts";

const store = createMemoryStore({ plants: [], users: {} });

const OPEN = "GET /healthz HTTP/1.1\r\nHost: h\r\n";
const CLOSING = `${OPEN}Connection: close\r\n\r\n`;
const withHeader = (header: string) =>
  CLOSING.replace("Connection", `${header}Connection`);

const size = (bytes: number) =>
  withHeader(`X: ${"x".repeat(bytes - CLOSING.length - 5)}\r\n`);
const target = (start: string, length: number) =>
  CLOSING.replace("/healthz", start.padEnd(length, "x"));
const MANY = `${"a:\r\n".repeat(3_000)}Host: h\r\n`;

for (
  const [limits, name, request, status] of [
    [{ headerSize: 2_000 }, "1,900 bytes", size(1_900), 200],
    [{ headerSize: 2_000 }, "2,100 bytes", size(2_100), 431],
    [{ urlLength: 100 }, "100 characters", target("/healthz?", 100), 200],
    [{ urlLength: 100 }, "101 characters", target("/healthz?", 101), 414],
    [{ urlLength: 100 }, "100 with a host", target("http://a/", 100), 404],
    [{ urlLength: 100 }, "101 with a host", target("http://a/", 101), 414],
    [{}, "200 headers", withHeader("a:\r\n".repeat(198)), 200],
    [{}, "201 headers", withHeader("a:\r\n".repeat(199)), 431],
    [{}, "another Host after 3,000 headers", withHeader(MANY), 431],
  ] as const
) {
  test(`a server with ${JSON.stringify(limits)} responds to ${name} with ${status}`, async () => {
    await using server = await listenWith(store, limits);
    const received = await exchange(server.port, request);
    const responses = parseResponses(received, ["GET"]);
    assertEquals(responses.map((response) => response.status), [status]);
  });
}

test("sendTimeout closes a connection whose client does not read", async () => {
  const plants = [{ name: "x".repeat(20_000_000) }];
  const users = { u: { plants: "all", tokens: ["t"] } } as const;
  const large = createMemoryStore({ plants, users });
  const limits = { sendTimeout: 500, connections: 1 };
  await using server = await listenWith(large, limits);
  const wire = openWire(server.port);
  wire.write(GET);
  await wire.until(/^HTTP/);
  wire.pause();
  // Another client can connect when the connection is closed.
  await until(async () => await exchange(server.port, CLOSING) !== "");
  wire.destroy();
});

test("sendTimeout does not apply to a response that takes longer", async () => {
  const limits = { sendTimeout: 100, keepAliveTimeout: 100 };
  const options = { ...limits, delay: 1_000 };
  await using server = await listenWith(memory, options);
  const received = await exchange(server.port, CLOSING_PLANTS);
  assertEquals(parseResponses(received, ["GET"])[0]?.body, BODY);
});

describe("timeouts", { concurrency: 4 }, () => {
  // Each timeout is shorter than the default.
  for (
    const [name, limits, byDefault, start, more, status] of [
      ["no request", { headersTimeout: 500 }, 10_000, "", "", 408],
      ["slow headers", { headersTimeout: 500 }, 10_000, OPEN, "X: y\r\n", 408],
      [
        "no further request",
        { keepAliveTimeout: 500 },
        5_000,
        `${OPEN}\r\n`,
        "",
        200,
      ],
    ] as const
  ) {
    test(`${Object.keys(limits)} closes a connection with ${name}`, async () => {
      await using server = await listenWith(store, limits);
      const began = performance.now();
      const wire = openWire(server.port);
      wire.write(start);
      const interval = setInterval(() => wire.write(more), 100);
      const received = await wire.closed.finally(() => clearInterval(interval));
      const duration = performance.now() - began;
      assert(duration >= 500 && duration < byDefault, `${duration} ms`);
      const responses = parseResponses(received, ["GET"]);
      assertEquals(responses.map((response) => response.status), [status]);
    });
  }
});
