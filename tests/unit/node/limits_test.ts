import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { createMemoryStore } from "../../../mod.ts";
import { serve } from "../../../src/server/serve.ts";
import { exchange, openWire, parseResponses } from "../../contract/wire.ts";
import {
  BODY,
  CLOSING as CLOSING_PLANTS,
  GET,
  portOf,
  store as memory,
} from "../../support/server.ts";
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
    [{}, "another Host after 3,000 headers", withHeader(MANY), 400],
  ] as const
) {
  test(`a server with ${JSON.stringify(limits)} responds to ${name} with ${status}`, async () => {
    await using server = await serve(store, { port: 0, limits });
    const received = await exchange(portOf(server), request);
    const responses = parseResponses(received, ["GET"]);
    assertEquals(responses.map((response) => response.status), [status]);
  });
}

test("sendTimeout closes a connection whose client does not read", async () => {
  const plants = [{ name: "x".repeat(20_000_000) }];
  const users = { u: { plants: "all", tokens: ["t"] } } as const;
  const large = createMemoryStore({ plants, users });
  const limits = { sendTimeout: 500, connections: 1 };
  await using server = await serve(large, { port: 0, limits });
  const wire = openWire(portOf(server));
  wire.write(GET);
  await wire.until(/^HTTP/);
  wire.pause();
  // Another client can connect when the connection is closed.
  await until(async () => await exchange(portOf(server), CLOSING) !== "");
  wire.destroy();
});

test("sendTimeout does not apply to a response that takes longer", async () => {
  const limits = { sendTimeout: 100, keepAliveTimeout: 100 };
  const options = { port: 0, limits, delay: 1_000 };
  await using server = await serve(memory, options);
  const received = await exchange(portOf(server), CLOSING_PLANTS);
  assertEquals(parseResponses(received, ["GET"])[0]?.body, BODY);
});

const SLOW_POST = `${OPEN.replace("GET", "POST")}Content-Length: 999\r\n\r\n`;

describe("timeouts", { concurrency: 4 }, () => {
  // Each timeout is shorter than the default.
  for (
    const [name, limits, byDefault, start, more, status] of [
      ["no request", { headersTimeout: 500 }, 10_000, "", "", 408],
      ["slow headers", { headersTimeout: 500 }, 10_000, OPEN, "X: y\r\n", 408],
      [
        "a slow body",
        { headersTimeout: 500, requestTimeout: 500 },
        15_000,
        SLOW_POST,
        "x",
        // The response precedes the timeout, which sends no second response.
        405,
      ],
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
      await using server = await serve(store, { port: 0, limits });
      const began = performance.now();
      const wire = openWire(portOf(server));
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
