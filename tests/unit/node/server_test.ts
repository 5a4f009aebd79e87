import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createMemoryStore, type Plant, withBehavior } from "../../../mod.ts";
import { exchange, openWire, parseResponses } from "../../contract/wire.ts";
import { listenWith } from "../../support/node_server.ts";
import {
  BODY,
  CLOSING,
  createSlowStore,
  findReset,
  GET,
  OPEN,
  SLOW,
  store,
  users,
  withHeaders,
} from "../../support/server.ts";
import { until } from "../../../tools/until.ts";

/** Starts the server that users get, but for some limits. */
async function listen(
  t: TestContext,
  options: Parameters<typeof listenWith>[1] = {},
  served = store,
): Promise<number> {
  const server = await listenWith(served, options);
  t.after(() => server[Symbol.asyncDispose]());
  return server.port;
}

/** A request that fits or exceeds a limit. */
const size = (bytes: number) =>
  withHeaders("Connection: close", `X: ${"x".repeat(bytes - 93)}`);
const target = (length: number) =>
  CLOSING.replace("/plants", "/plants?".padEnd(length, "x"));
const headers = (count: number) =>
  withHeaders("Connection: close", ...Array(count - 3).fill("a:"));

for (
  const [name, status, request] of [
    ["no Host", 400, "GET /plants HTTP/1.1\r\n\r\n"],
    ["no Host on HTTP/1.0", 200, "GET /healthz HTTP/1.0\r\n\r\n"],
    ["HTTP/0.9", 400, GET.replace("1.1", "0.9")],
    ["HTTP/2.0", 400, GET.replace("1.1", "2.0")],
    ["malformed HTTP", 400, "nonsense\r\n\r\n"],
    ["a body", 200, withHeaders("Content-Length: 4000") + "x"],
    ["a chunked body", 200, withHeaders("Transfer-Encoding: chunked")],
    ["another coding", 400, withHeaders("Transfer-Encoding: gzip, chunked")],
    ["an expectation", 200, withHeaders("Expect: 100-continue")],
    ["an unknown expectation", 417, withHeaders("Expect: coffee")],
    ["an upgrade", 200, withHeaders("Upgrade: h2c", "Connection: upgrade")],
    ["1,900 bytes", 200, size(1_900)],
    ["2,100 bytes", 431, size(2_100)],
    ["a target of 100 characters", 200, target(100)],
    ["a target of 101 characters", 414, target(101)],
    ["200 headers", 200, headers(200)],
    ["201 headers", 431, headers(201)],
    ["late headers", 408, GET.slice(0, -2)],
  ] as const
) {
  test(`serve() on Node.js responds to ${name} with ${status} and closes`, async (t) => {
    const limits = { headerBytes: 2_000, urlLength: 100 };
    // On a busy machine, headers can take half a second to arrive.
    const late = status === 408 && { headersTimeout: 500 };
    const port = await listen(t, { ...limits, ...late });
    const [response, ...others] = parseResponses(
      await exchange(port, request + (status === 408 ? "" : GET)),
      ["GET"],
    );
    assert(response);
    assertEquals([response.status, others], [status, []]); // nothing follows
    assertEquals(response.headers.get("connection"), "close");
    assertMatch(response.headers.get("date") ?? "", /GMT$/);
    if (status === 200) return;
    assertMatch(response.body, /^\{"error":\d{3},"message":"[^"]+"\}$/);
    const content = ["content-type", "cache-control", "x-content-type-options"];
    assertEquals(
      content.map((name) => response.headers.get(name)),
      ["application/json", "no-store", "nosniff"],
    );
  });
}

test("serve() on Node.js rejects nonsense after the responses before it", async (t) => {
  const slow = createSlowStore();
  const port = await listen(t, {}, slow);
  const { reached, release } = slow.hold();
  const wire = openWire(port);
  wire.write(`${SLOW}nonsense\r\n\r\n`);
  await reached;
  await exchange(port, CLOSING); // by now, the rest has been read
  wire.write(GET);
  release();
  const [first, second, ...others] = parseResponses(await wire.closed, []);
  assertEquals([first?.body, second?.status, others], [BODY, 400, []]);
});

test("serve() on Node.js keeps the connection after an empty body", async (t) => {
  const port = await listen(t);
  const request = withHeaders("Content-Length: 0") + CLOSING;
  const responses = parseResponses(await exchange(port, request), []);
  assertEquals(responses.map(({ body }) => body), [BODY, BODY]);
});

/** 20 MB do not fit into the buffers of a connection. */
const large = createMemoryStore({
  plants: [{ name: "x".repeat(20_000_000) }],
  users,
});

/** Over HTTP/1.0, only the end of the connection ends a long list. */
const OLD_GET = GET.replace("1.1", "1.0");

// These tests mostly wait.
describe("slow clients", { concurrency: true }, () => {
  test("a client that sends a large body before it reads receives the whole response", async (t) => {
    const list = () => [{ name: "x".repeat(1_000_000) }];
    const port = await listen(t, {}, {
      authenticate: () => ({ name: "u", list }),
    });
    const wire = openWire(port);
    wire.pause();
    wire.write(withHeaders("Content-Length: 9000000") + "x".repeat(9_000_000));
    await sleep(5_500); // by now, the server has destroyed the connection
    wire.resume();
    const responses = parseResponses(await wire.closed, ["GET"]);
    assertEquals(responses.map(({ body }) => body.length), [1_000_013]);
  });

  test("a client that sends a body slowly can read its response", async (t) => {
    const port = await listen(t);
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const errors: Error[] = [];
    socket.on("error", (error) => errors.push(error));
    socket.write(withHeaders("Content-Length: 100000"));
    // A server that closes too early resets the connection.
    for (let piece = 0; piece < 20; piece++) {
      socket.write("x".repeat(5_000));
      await sleep(piece === 10 ? 2_000 : 100);
    }
    assertEquals(errors, []);
    assertMatch(`${socket.read()}`, /^HTTP\/1\.1 200 /);
    await once(socket.resume(), "end");
    socket.destroy();
  });

  test("requestTimeout closes the connection of a client that sends a body too slowly", async (t) => {
    const port = await listen(t, { headersTimeout: 500, requestTimeout: 500 });
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => {});
    socket.write(withHeaders("Content-Length: 100000"));
    await until(() => {
      socket.write("x");
      return socket.destroyed;
    });
  });
});

describe("timeouts", { concurrency: 4 }, () => {
  test("sendTimeout resets the connection of a client that reads nothing", async (t) => {
    const port = await listen(t, { sendTimeout: 500, connections: 1 }, large);
    const slow = connect(port, "127.0.0.1", () => slow.write(OLD_GET));
    await once(slow, "readable");
    // Another client can connect when the connection is closed.
    await until(async () => /^HTTP/.test(await exchange(port, CLOSING)));
    assertEquals(await findReset(slow), "ECONNRESET");
  });

  test("sendTimeout closes the connection of a client that sends, but does not read", async (t) => {
    const others = { headersTimeout: 1e6, requestTimeout: 1e6, connections: 1 };
    const port = await listen(t, { sendTimeout: 1_000, ...others }, large);
    const wire = openWire(port);
    wire.write(`${GET}${OPEN}X: `);
    await wire.until(/^HTTP/);
    wire.pause();
    const check = CLOSING.replace("/plants", "/healthz");
    // Another client can connect once the connection is closed. It never would be if
    // what the client sends started the timer again.
    await until(async () => {
      wire.write("x");
      return /^HTTP/.test(await exchange(port, check));
    });
    wire.destroy();
  });

  test("sendTimeout applies to each write of a long list", async (t) => {
    const port = await listen(t, { sendTimeout: 6_000 }, large);
    const socket = connect(port, "127.0.0.1").setEncoding("latin1");
    socket.write(CLOSING);
    let received = "", pauses = 0;
    for await (const text of socket) {
      received += text;
      if (received.length < (pauses + 1) * 4_000_000) continue;
      pauses++;
      await sleep(1_500);
    }
    const [response] = parseResponses(received, ["GET"]);
    assertEquals([response?.body.length, pauses], [20_000_013, 5]);
  });

  test("no timeout applies to a store that takes longer", async (t) => {
    const limits = { sendTimeout: 100, keepAliveTimeout: 100 };
    const slow = withBehavior(store, {}, { delay: 4_000 });
    const port = await listen(t, { ...limits, headersTimeout: 2_000 }, slow);
    const responses = parseResponses(await exchange(port, GET + CLOSING), []);
    assertEquals(responses.map(({ body }) => body), [BODY, BODY]);
  });

  test("keepAliveTimeout closes an idle connection", async (t) => {
    const port = await listen(t, { keepAliveTimeout: 1_000 });
    const began = performance.now();
    assertMatch(await exchange(port, GET), /^keep-alive: timeout=1\r$/im);
    assert(performance.now() - began >= 1_000);
  });
});

const plants = Array.from({ length: 60_000 }, (_, index) => (
  { name: `${index}`.padEnd(90, "x") }
));
const LONG = { plants, users };

test("a list that fails while it is sent resets the connection", async (t) => {
  async function* fail(): AsyncGenerator<Plant> {
    yield* plants.slice(0, 2_000);
    throw new Error("lost");
  }
  const failing = { authenticate: () => ({ name: "u", list: fail }) };
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(`${error}`);
  const port = await listen(t, { onError }, failing);
  const socket = connect(port, "127.0.0.1", () => socket.write(OLD_GET));
  await once(socket, "readable");
  await until(() => errors.length > 0);
  assertEquals(await findReset(socket), "ECONNRESET");
  assertEquals(errors, ["Error: lost"]);
});

test("a client receives the rest of a long list that is no longer served", async (t) => {
  const replaceable = createMemoryStore(LONG);
  const port = await listen(t, {}, replaceable);
  const wire = openWire(port);
  wire.write(GET);
  await wire.until(/^HTTP/);
  wire.pause();
  wire.write(GET + CLOSING); // which wait
  replaceable.replace({ ...LONG, plants: [] });
  wire.resume();
  const bodies = parseResponses(await wire.closed, [])
    .map(({ body }) => JSON.parse(body));
  assertEquals(bodies, [LONG.plants, [], []]);
});

for (
  const [name, request, connection, coding] of [
    ["HTTP/1.1", GET + CLOSING, "keep-alive", "chunked"],
    ["a client that closes", CLOSING, "close", "chunked"],
    ["HTTP/1.0", GET.replace("1.1", "1.0"), "close", null],
  ] as const
) {
  test(`a long list has no Content-Length for ${name}`, async (t) => {
    const port = await listen(t, {}, createMemoryStore(LONG));
    const responses = parseResponses(await exchange(port, request), []);
    const { headers } = responses[0]!;
    const names = ["connection", "transfer-encoding", "content-length"];
    const found = names.map((name) => headers.get(name));
    assertEquals(found, [connection, coding, null]);
    for (const { body } of responses) {
      assertEquals(JSON.parse(body), LONG.plants);
    }
  });
}

test("a client receives the list of a custom store as it was when the response started", async (t) => {
  const plants = LONG.plants.map((plant) => ({ ...plant }));
  const user = { name: "u", list: () => plants };
  const port = await listen(t, {}, { authenticate: () => user });
  const wire = openWire(port);
  wire.write(CLOSING);
  await wire.until(/^HTTP/);
  wire.pause();
  for (const plant of plants) plant.name = "";
  wire.resume();
  const [response] = parseResponses(await wire.closed, []);
  assertEquals(JSON.parse(response!.body), LONG.plants);
});

test("Server.close() sends the whole response to a slow client, and /readyz fails", async (t) => {
  const state = { isShuttingDown: false };
  const server = await listenWith(large, { state });
  t.after(() => server.abort());
  const wire = openWire(server.port);
  const idle = openWire(server.port);
  wire.write(GET);
  await wire.until(/^HTTP/);
  wire.pause();
  state.isShuttingDown = true;
  const drained = server.drain(10);
  await idle.closed;
  wire.write(`${OPEN.replace("/plants", "/readyz")}\r\n`);
  wire.resume();
  const responses = parseResponses(await wire.closed, ["GET", "GET"]);
  assertEquals(responses.map(({ status }) => status), [200, 503]);
  assertEquals(responses[0]!.body.length, 20_000_013);
  assertEquals(responses[1]!.headers.get("connection"), "close");
  await drained;
});

test("Server.close() resets connections with incomplete responses", async (t) => {
  const server = await listenWith(large);
  const connections = [OLD_GET, "GET /healthz HTTP/1.0\r\n\r\n"].map(
    (request) => {
      const options = { port: server.port, allowHalfOpen: true };
      const socket = connect(options, () => socket.write(request));
      t.after(() => socket.destroy());
      return socket;
    },
  );
  await Promise.all(connections.map((socket) => once(socket, "readable")));
  const drained = server.drain(0);
  server.abort();
  await drained;
  const resets = await Promise.all(connections.map(findReset));
  assertEquals(resets, ["ECONNRESET", undefined]);
});

test("serve() passes an error of the Node.js server to onError and keeps running", async (t) => {
  const errors: unknown[] = [];
  const port = await listen(t, { onError: (error) => void errors.push(error) });
  // For example, the process has no file descriptors left.
  const error = new Error("accept EMFILE");
  subscribe("http.server.request.start", function fail(message) {
    unsubscribe("http.server.request.start", fail);
    (message as { server: Server }).server.emit("error", error);
  });
  assertMatch(await exchange(port, CLOSING), /^HTTP\/1\.1 200 /);
  assertEquals(errors, [error]);
});
