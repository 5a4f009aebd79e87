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

/** Returns a request with this size in bytes. */
function createRequest(size: number): string {
  const padding = "x".repeat(size - CLOSING.length - "X: \r\n".length);
  return CLOSING.replace("Connection", `X: ${padding}\r\nConnection`);
}

/** Sends a request and returns the status of the only response. */
async function statusOf(port: number, request: string): Promise<number> {
  const responses = parseResponses(await exchange(port, request), ["GET"]);
  assertEquals(responses.length, 1);
  return responses[0]!.status;
}

test("headerSize rejects larger headers with 431", async () => {
  const limits = { headerSize: 2_000 };
  await using server = await serve(store, { port: 0, limits });
  const port = portOf(server);
  assertEquals(await statusOf(port, createRequest(1_900)), 200);
  assertEquals(await statusOf(port, createRequest(2_100)), 431);
});

test("no header is dropped if there are thousands", async () => {
  await using server = await serve(store, { port: 0 });
  const headers = "a:\r\n".repeat(3_000);
  const request = `${OPEN}${headers}Host: h\r\n\r\n`;
  assertEquals(await statusOf(portOf(server), request), 400);
});

test("urlLength rejects longer targets with 414", async () => {
  const limits = { urlLength: 100 };
  await using server = await serve(store, { port: 0, limits });
  for (const [length, status] of [[100, 200], [101, 414]] as const) {
    const target = "/healthz?".padEnd(length, "x");
    const request = CLOSING.replace("/healthz", target);
    assertEquals(await statusOf(portOf(server), request), status);
    const absolute = `http://a/${target.slice(9)}`;
    const other = CLOSING.replace("/healthz", absolute);
    const expected = status === 200 ? 404 : status;
    assertEquals(await statusOf(portOf(server), other), expected);
  }
});

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

test("connections limits simultaneous connections", async () => {
  const limits = { connections: 2 };
  await using server = await serve(store, { port: 0, limits });
  const wires = [openWire(portOf(server)), openWire(portOf(server))];
  for (const wire of wires) wire.write(`${OPEN}\r\n`);
  for (const wire of wires) await wire.until(/\}$/);
  assertEquals(await exchange(portOf(server), CLOSING), "");
  wires[0]!.destroy();
  let received = "";
  // It takes the server a moment to detect the closed connection.
  for (let time = 0; time < 1_000 && received === ""; time++) {
    received = await exchange(portOf(server), CLOSING);
  }
  assertEquals(parseResponses(received, ["GET"])[0]?.status, 200);
  wires[1]!.destroy();
});
