import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { request, type Server as HttpServer } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, test } from "node:test";
import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import * as v from "valibot";
import { createMemoryStore, ErrorSchema, withBehavior } from "../../../mod.ts";
import { openapi } from "../../../src/openapi/openapi.ts";
import { explorer } from "../../../src/explorer/explorer.ts";
import { serve, type Server } from "../../../src/server/serve.ts";
import type { CaseResponse } from "../../contract/cases.ts";
import { exchange, openWire, parseResponses } from "../../contract/wire.ts";
import {
  BODY,
  CLOSING,
  createSlowStore,
  GET,
  OPEN,
  portOf,
  SLOW,
  store as memory,
  withHeaders,
} from "../../support/server.ts";
import { listenWith } from "../../support/node_server.ts";
import { until } from "../../support/until.ts";

const store = createSlowStore();
const CONNECT = "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n";

let server: Server;
let port: number;
before(async () => {
  server = await serve(store, { port: 0 });
  port = portOf(server);
});
after(() => server.close());

/** Checks an Error body with the common headers on a closing connection. */
function assertRejected(
  response: CaseResponse | undefined,
  status: number,
): void {
  assertEquals(response?.status, status);
  const { headers, body } = response!;
  assert(v.is(ErrorSchema, JSON.parse(body)), body);
  assertEquals(JSON.parse(body).error, status);
  assertEquals(headers.get("content-type"), "application/json");
  assertEquals(headers.get("access-control-allow-origin"), "*");
  assertEquals(headers.get("x-content-type-options"), "nosniff");
  assertEquals(headers.get("cache-control"), "no-store");
  assertEquals(headers.get("connection"), "close");
  assertMatch(headers.get("date") ?? "", /GMT$/);
  const allow = status === 405 ? "GET, HEAD, OPTIONS" : null;
  assertEquals(headers.get("allow"), allow);
}

const COFFEE = "Expect: coffee";
const UPGRADE = withHeaders("Upgrade: h2c", "Connection: upgrade");

for (
  const [name, status, request] of [
    ["no Host", 400, "GET /plants HTTP/1.1\r\n\r\n"],
    ["no Host and HTTP/1.0", 200, "GET /healthz HTTP/1.0\r\n\r\n"],
    ["a repeated Host", 400, withHeaders("host: h")],
    ["HTTP/2.0", 400, GET.replace("1.1", "2.0")],
    ["a NUL in a header", 400, withHeaders("X: \0")],
    ["long headers", 431, withHeaders(`X: ${"x".repeat(17_000)}`)],
    ["a long target", 431, GET.replace("plants", "x".repeat(17_000))],
    ["a chunked body", 200, withHeaders("Transfer-Encoding: chunked")],
    [
      "Expect: 100-continue",
      200,
      withHeaders("Content-Length: 5", "Expect: 100-continue"),
    ],
    ["an unknown expectation", 417, withHeaders(COFFEE)],
    ["two expectations", 417, withHeaders("Expect: 100-continue, foo")],
    [
      "an expectation with an invalid Host",
      400,
      withHeaders(COFFEE).replace(": h", ": a/b"),
    ],
    ["an expectation without Host", 400, `GET / HTTP/1.1\r\n${COFFEE}\r\n\r\n`],
    ["TRACE", 405, CLOSING.replace("GET", "TRACE")],
  ] as const
) {
  test(`the Node.js server responds to ${name} with ${status} and closes`, async () => {
    const received = await exchange(port, request);
    const [response, ...others] = parseResponses(received, ["GET"]);
    assertEquals(others, []);
    if (status !== 200) return assertRejected(response, status);
    assertEquals(response?.status, 200);
    assertEquals(response?.headers.get("connection"), "close");
  });
}

for (
  const [name, request, status] of [
    ["request", "GET /plants HTTP/1.1\r\nHost: h\r\n", 400],
    ["body", withHeaders("Content-Length: 10") + "abc", 200],
  ] as const
) {
  test(`the Node.js server responds once to a truncated ${name}`, async () => {
    const wire = openWire(port);
    wire.write(request);
    await exchange(port, CLOSING); // by now, the request has been read
    wire.end();
    const responses = parseResponses(await wire.closed, ["GET"]);
    assertEquals(responses.map((response) => response.status), [status]);
  });
}

test("the Node.js server sends earlier responses before it closes after nonsense", async () => {
  const { reached, release } = store.hold();
  const wire = openWire(port);
  wire.write(`${SLOW}nonsense\r\n\r\n`);
  await reached;
  await exchange(port, CLOSING); // by now, the rest has been read
  release();
  const responses = parseResponses(await wire.closed, ["GET"]);
  assertEquals(responses.map(({ body }) => body), [BODY]);
  assertEquals(responses[0]!.headers.get("connection"), "close");
});

test("Server.close() sends the whole response to a slow client, and /readyz fails", async () => {
  // 20 MB does not fit in the buffers of the connection.
  const plants = Array.from({ length: 2_000 }, () => ({
    name: "x".repeat(10_000),
  }));
  const users = { u: { plants: "all", tokens: ["t"] } } as const;
  const own = await serve(createMemoryStore({ plants, users }), { port: 0 });
  const wire = openWire(portOf(own));
  const idle = openWire(portOf(own));
  wire.write(GET);
  await wire.until(/^HTTP/);
  wire.pause();
  const closed = own.close({ shutdownTimeout: 60_000 });
  await idle.closed;
  wire.write("GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n");
  wire.resume();
  const responses = parseResponses(await wire.closed, ["GET", "GET"]);
  assertEquals(responses.map(({ status }) => status), [200, 503]);
  assertEquals(JSON.parse(responses[0]!.body).length, plants.length);
  assertRejected(responses[1], 503);
  await closed;
});

test("the Node.js server survives a reset after CONNECT", async () => {
  const { reached, release } = store.hold();
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {});
  socket.write(`${SLOW}${CONNECT}`);
  await reached;
  socket.resetAndDestroy();
  await exchange(port, CLOSING); // by now, the reset has arrived
  release();
  assertMatch(await exchange(port, CLOSING), /^HTTP\/1\.1 200 /);
});

const LARGE = new Uint8Array(3_000_000);
for (
  const [kind, headers] of [
    ["large", { "Content-Length": LARGE.length }],
    ["large, last", { "Content-Length": LARGE.length, Connection: "close" }],
    ["large, chunked", { "Transfer-Encoding": "chunked" }],
  ] as const
) {
  test(`a client that sends a ${kind} body receives the error response`, async () => {
    for (let round = 0; round < 20; round++) {
      const message = request(`${server.url}plants`, {
        method: "POST",
        headers,
        agent: false,
      });
      message.end(LARGE);
      const [response] = await once(message, "response");
      assertEquals(response.statusCode, 405);
      assertMatch(await text(response), /^\{"error":405,/);
    }
  });
}

test("a client that closes its side of the connection receives the response", async (t) => {
  for (
    const path of ["/", "/openapi.json", "/readyz", "/healthz", "/plants"]
  ) {
    const own = await serve(memory, { port: 0, explorer, openapi });
    t.after(() => own.close());
    // The first request is the slowest.
    const wire = openWire(portOf(own));
    wire.write(GET.replace("/plants", path));
    wire.end();
    const responses = parseResponses(await wire.closed, ["GET"]);
    assertEquals(responses.map(({ status }) => status), [200], path);
  }
});

test("the delay of a pipelined request ends when the client disconnects", async (t) => {
  let finished = 0;
  const own = await serve(withBehavior(memory, {}, { delay: 5_000 }), {
    port: 0,
    onResponse: () => finished++,
  });
  t.after(() => own.close({ shutdownTimeout: 0 }));
  const socket = connect(portOf(own), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(GET.repeat(10));
  const health = CLOSING.replace("plants", "healthz");
  await exchange(portOf(own), health); // by now, the requests have been read
  socket.resetAndDestroy();
  const late = sleep(20_000).then(() => "late");
  assertEquals(
    await Promise.race([until(() => finished === 2), late]),
    undefined,
  );
});

test("a client that is on time receives no 408 after a slow response", async () => {
  const limits = { headersTimeout: 1_000, requestTimeout: 1_000 };
  const slow = withBehavior(memory, {}, { delay: 3_000 });
  await using own = await listenWith(slow, limits);
  const wire = openWire(own.port);
  wire.write(GET + CLOSING.slice(0, 20));
  const health = CLOSING.replace("plants", "healthz");
  await exchange(own.port, health); // by now, the first part has been read
  wire.write(CLOSING.slice(20));
  const responses = parseResponses(await wire.closed, []);
  assertEquals(responses.map(({ status }) => status), [200, 200]);
});

for (
  const [name, head, more, status] of [
    ["long headers", `${OPEN}X: ${"x".repeat(17_000)}`, "x", 431],
    [
      "a short body after two Hosts",
      withHeaders("Host: h", "Content-Length: 4000"),
      "x",
      400,
    ],
    ["requests after two Hosts", withHeaders("Host: h"), GET, 400],
    ["requests after Connection: close", CLOSING, GET, 200],
    ["requests after an upgrade", UPGRADE, GET, 200],
  ] as const
) {
  test(`a client that sends ${name} before it reads receives one response`, async () => {
    const wire = openWire(port);
    wire.pause();
    wire.write(head);
    for (let round = 0; round < 10; round++) {
      wire.write(more);
      await exchange(port, CLOSING); // by now, it has been read
    }
    wire.resume();
    const responses = parseResponses(await wire.closed, ["GET"]);
    assertEquals(responses.map((response) => response.status), [status]);
    assertEquals(responses[0]!.headers.get("connection"), "close");
  });
}

test("serve() calls onResponse for requests that the listener rejects", async () => {
  const events: string[] = [];
  const own = await serve(memory, {
    port: 0,
    onResponse: ({ method, path, status }) =>
      events.push(`${method} ${path} ${status}`),
  });
  await exchange(portOf(own), "GET /plants?x HTTP/1.1\r\n\r\n");
  await exchange(portOf(own), withHeaders(COFFEE));
  for (
    const request of ["a\r\n\r\n", withHeaders(`X: ${"x".repeat(17_000)}`)]
  ) {
    assertNotMatch(await exchange(portOf(own), request), /^x-request-id/im);
  }
  await own.close();
  assertEquals(events, ["GET /plants 400", "GET /plants 417"]);
});

test("serve() passes an error of the Node.js server to onError and keeps running", async (t) => {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const own = await serve(memory, { port: 0, onError });
  t.after(() => own.close());
  let found: HttpServer | undefined;
  const find = (message: unknown) =>
    found ??= (message as { server: HttpServer }).server;
  subscribe("http.server.request.start", find);
  t.after(() => unsubscribe("http.server.request.start", find));
  await exchange(portOf(own), CLOSING);
  // For example, the process has no file descriptors left.
  const error = new Error("accept EMFILE");
  found!.emit("error", error);
  assertEquals(errors, [error]);
  assertMatch(await exchange(portOf(own), CLOSING), /^HTTP\/1\.1 200 /);
});
