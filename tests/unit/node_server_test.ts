import { connect } from "node:net";
import { after, before, test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import * as v from "valibot";
import { createMemoryStore, ErrorSchema } from "../../mod.ts";
import { serve, type Server } from "../../src/server/serve.ts";
import type { CaseResponse } from "../contract/cases.ts";
import { exchange, openWire, parseResponses } from "../contract/wire.ts";
import {
  BODY,
  CLOSING,
  createSlowStore,
  GET,
  OPEN,
  openIdleWires,
  portOf,
  SLOW,
  store as memory,
} from "../support/server.ts";

const store = createSlowStore();
const CONNECT = "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n";
const TWO_HOSTS = "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n";

let server: Server;
let port: number;
before(async () => {
  server = await serve(store, { port: 0 });
  port = portOf(server);
});
after(() => server.close());

/** Sends text and returns the status of each response. */
async function statuses(
  text: string,
  methods: readonly string[],
): Promise<number[]> {
  const responses = parseResponses(await exchange(port, text), methods);
  return responses.map(({ status }) => status);
}

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
}

const withHeaders = (...headers: readonly string[]) =>
  `${OPEN}${headers.join("\r\n")}\r\n\r\n`;
const CHUNKED = "Transfer-Encoding: chunked";
const COFFEE = "Expect: coffee";

for (
  const [name, status, request] of [
    ["no Host", 400, "GET /plants HTTP/1.1\r\n\r\n"],
    ["two Hosts", 400, `${TWO_HOSTS}\r\n`],
    ["a repeated Host", 400, withHeaders("host: h")],
    ["coding xchunked", 400, withHeaders("Transfer-Encoding: xchunked")],
    ["coding gzip", 400, withHeaders("Transfer-Encoding: gzip, chunked")],
    ["coding identity", 400, withHeaders("Transfer-Encoding: identity")],
    ["two framings", 400, withHeaders(CHUNKED, "Content-Length: 5")],
    ["two lengths", 400, withHeaders("Content-Length: 1", "Content-Length: 2")],
    ["a signed length", 400, withHeaders("Content-Length: +1")],
    ["a text that is not HTTP", 400, "hello\r\n\r\n"],
    ["an unknown version", 400, GET.replace("1.1", "9.9")],
    ["an unknown method", 400, GET.replace("GET", "FOO")],
    ["a lower-case method", 400, GET.replace("GET", "get")],
    ["a space in the target", 400, GET.replace("plants", "pl ants")],
    ["a space before the colon", 400, withHeaders("X : y")],
    ["a NUL in a header", 400, withHeaders("X: \0")],
    ["long headers", 431, withHeaders(`X: ${"x".repeat(17_000)}`)],
    ["a long target", 431, GET.replace("plants", "x".repeat(17_000))],
    ["an unknown expectation", 417, withHeaders(COFFEE)],
    ["another expectation", 417, withHeaders("Expect: 100-continue, foo")],
    ["CONNECT", 405, CONNECT],
    ["CONNECT without Host", 400, "CONNECT a:80 HTTP/1.1\r\n\r\n"],
    ["CONNECT for a path", 405, "CONNECT /plants HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["CONNECT with an invalid Host", 400, CONNECT.replace(": a", ": a/b")],
    ["TRACE", 405, CLOSING.replace("GET", "TRACE")],
    ["HTTP/2.0", 400, GET.replace("1.1", "2.0")],
    ["HTTP/0.9", 400, GET.replace("1.1", "0.9")],
    ["no version", 400, "GET /plants\r\n\r\n"],
    [
      "an expectation with an invalid Host",
      400,
      withHeaders(COFFEE).replace(": h", ": a/b"),
    ],
    [
      "an expectation without Host",
      400,
      `GET / HTTP/1.1\r\n${COFFEE}\r\n\r\n`,
    ],
    [
      "an expectation with an unknown coding",
      400,
      withHeaders(COFFEE, "Transfer-Encoding: x"),
    ],
  ] as const
) {
  test(`the Node.js server rejects ${name} with ${status} and closes`, async () => {
    const received = await exchange(port, request);
    const responses = parseResponses(received, ["GET"]);
    assertEquals(responses.length, 1, received);
    assertRejected(responses[0], status);
    if (status === 405) {
      assertEquals(responses[0]!.headers.get("allow"), "GET, HEAD, OPTIONS");
    }
  });
}

test("the Node.js server rejects a truncated request", async () => {
  const wire = openWire(port);
  wire.write("GET /plants HTTP/1.1\r\nHost: h\r\n");
  wire.end();
  assertRejected(parseResponses(await wire.closed, ["GET"])[0], 400);
});

test("the Node.js server requires no Host with HTTP/1.0", async () => {
  const text = GET.replace("1.1", "1.0").replace("Host: h\r\n", "");
  assertEquals(await statuses(text, ["GET"]), [200]);
});

test("the Node.js server responds to pipelined requests in order", async () => {
  const methods = ["GET", "HEAD", "GET", "POST", "GET", "GET"];
  const received = await exchange(
    port,
    [
      GET,
      GET.replace("GET", "HEAD"),
      GET.replace("/plants", "/nope"),
      GET.replace("GET", "POST"),
      GET.replace("/plants", "/plants?limit=1"),
      CLOSING,
    ].join(""),
  );
  const responses = parseResponses(received, methods);
  assertEquals(
    responses.map(({ status, body }) => [status, body.slice(0, 13)]),
    [
      [200, '[{"name":"a"}'],
      [200, ""],
      [404, '{"error":404,'],
      [405, '{"error":405,'],
      [200, '[{"name":"a"}'],
      [200, '[{"name":"a"}'],
    ],
  );
});

test("the Node.js server sends earlier responses before it rejects a request", async () => {
  const { reached, release } = store.hold();
  const wire = openWire(port);
  wire.write(`${SLOW}nonsense\r\n\r\n`);
  await reached;
  await exchange(port, CLOSING); // by now, the rest has been read
  release();
  const responses = parseResponses(await wire.closed, ["GET", "GET"]);
  assertEquals(responses.map(({ status }) => status), [200, 400]);
  assertEquals(responses[0]!.body, BODY);
  assertRejected(responses[1], 400);
});

test("the Node.js server keeps the connection open after a short body", async () => {
  const text = `${OPEN}Content-Length: 5\r\n\r\nhello${CLOSING}`;
  assertEquals(await statuses(text, ["GET", "GET"]), [200, 200]);
});

for (
  const [name, headers] of [
    ["a long body", "Content-Length: 70000"],
    ["a chunked body", CHUNKED],
    ["Expect: 100-continue", "Content-Length: 5\r\nExpect: 100-continue"],
  ]
) {
  test(`the Node.js server responds to ${name} immediately and closes`, async () => {
    const received = await exchange(port, `${OPEN}${headers}\r\n\r\n`);
    assertEquals(received.includes("100 Continue"), false);
    const [response] = parseResponses(received, ["GET"]);
    assertEquals(response?.status, 200);
    assertEquals(response?.headers.get("connection"), "close");
  });
}

for (
  const line of [
    "Upgrade: h2c\r\nConnection: upgrade",
    "Connection: x, Close\t",
  ]
) {
  test(`the Node.js server closes after ${JSON.stringify(line)}`, async () => {
    const received = await exchange(port, `${withHeaders(line)}${GET}`);
    const [response, ...others] = parseResponses(received, ["GET"]);
    assertEquals(response?.status, 200);
    assertEquals(response?.headers.get("connection"), "close");
    assertEquals(others, []);
  });
}

test("Server.close() finishes in-flight requests and closes other connections", async () => {
  const own = await serve(store, { port: 0 });
  const { reached, release } = store.hold();
  const [silent, partial, idle] = await openIdleWires(portOf(own));
  const slow = openWire(portOf(own));
  slow.write(SLOW);
  await reached;

  const closed = own.close();
  assertEquals(own.close(), closed);
  assertEquals(await silent!.closed, "");
  assertEquals(await partial!.closed, "");
  await idle!.closed;
  // The response in progress is the last one on its connection.
  slow.write("GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n");
  release();
  const [response] = parseResponses(await slow.closed, ["GET", "GET"]);
  assertEquals(response?.body, BODY);
  assertEquals(response?.headers.get("connection"), "close");
  await closed;
  assertEquals(await exchange(portOf(own), GET), "");
});

test("Server.close() closes in-flight requests at the deadline", async () => {
  const own = await serve(store, { port: 0 });
  const { reached, release } = store.hold();
  const slow = openWire(portOf(own));
  slow.write(SLOW);
  await reached;
  await own.close({ deadline: 100 });
  assertEquals(await slow.closed, "");
  release();
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
  const closed = own.close({ deadline: 60_000 });
  await idle.closed;
  wire.write("GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n");
  wire.resume();
  const responses = parseResponses(await wire.closed, ["GET", "GET"]);
  assertEquals(responses.map(({ status }) => status), [200, 503]);
  assertEquals(JSON.parse(responses[0]!.body).length, plants.length);
  assertRejected(responses[1], 503);
  await closed;
});

test("the Node.js server rejects CONNECT after earlier responses", async () => {
  const { reached, release } = store.hold();
  const wire = openWire(port);
  wire.write(`${SLOW}${CONNECT}`);
  await reached;
  release();
  const responses = parseResponses(await wire.closed, ["GET", "CONNECT"]);
  assertEquals(responses.map(({ status }) => status), [200, 405]);
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
  assertEquals(await statuses(CLOSING, ["GET"]), [200]);
});

test("a client that sends a large body receives the error response", async () => {
  const body = new Uint8Array(3_000_000);
  for (let round = 0; round < 20; round++) {
    const url = `${server.url}plants`;
    const response = await fetch(url, { method: "POST", body });
    assertEquals(response.status, 405);
    await response.text();
  }
});

test("the Node.js server responds once to a truncated body", async () => {
  const wire = openWire(port);
  wire.write(`${OPEN.replace("GET", "POST")}Content-Length: 10\r\n\r\nabc`);
  await wire.until(/405/);
  wire.end();
  const responses = parseResponses(await wire.closed, ["POST"]);
  assertEquals(responses.map(({ status }) => status), [405]);
});

const LENGTH = "Content-Length: 4000";
for (
  const [name, head, more, status] of [
    ["long headers", `${OPEN}X: ${"x".repeat(17_000)}`, "x", 431],
    [
      "a short body after Connection: close",
      withHeaders("Connection: close", LENGTH),
      "x",
      200,
    ],
    [
      "a short body after two Hosts",
      `${TWO_HOSTS}${LENGTH}\r\n\r\n`,
      "x",
      400,
    ],
    ["requests after two Hosts", `${TWO_HOSTS}\r\n`, GET, 400],
    ["requests after HTTP/2.0", GET.replace("1.1", "2.0"), GET, 400],
    ["requests after Connection: close", CLOSING, GET, 200],
    [
      "requests after an upgrade",
      withHeaders("Upgrade: h2c", "Connection: upgrade"),
      GET,
      200,
    ],
  ] as const
) {
  test(`a client that sends ${name} before it reads receives one response`, async () => {
    const wire = openWire(port);
    wire.pause();
    wire.write(head);
    for (let round = 0; round < 20; round++) {
      wire.write(more);
      await exchange(port, CLOSING); // by now, it has been read
    }
    wire.resume();
    const responses = parseResponses(await wire.closed, ["GET"]);
    assertEquals(responses.map((response) => response.status), [status]);
    assertEquals(responses[0]!.headers.get("connection"), "close");
  });
}

test("the Node.js server handles no request after the last response", async () => {
  const statuses: number[] = [];
  const own = await serve(memory, {
    port: 0,
    onResponse: ({ status }) => statuses.push(status),
  });
  const wire = openWire(portOf(own));
  wire.write(`${TWO_HOSTS}\r\n`);
  await wire.until(/\}$/);
  wire.write(GET);
  await wire.closed;
  await own.close();
  assertEquals(statuses, [400]);
});

test("a connection with many pipelined requests does not block others", async () => {
  const wire = openWire(port);
  wire.write(GET.repeat(9_999) + CLOSING);
  let isOver = false, others = 0;
  wire.closed.finally(() => isOver = true);
  for (; !isOver; others++) await exchange(port, CLOSING);
  const received = await wire.closed;
  assertEquals(received.split("HTTP/1.1 200 OK\r\n").length - 1, 10_000);
  assertEquals(received.split(`\r\n\r\n${BODY}`).length - 1, 10_000);
  // Without a limit, only about 4 others get a response; with it, thousands.
  assert(others > 20, `${others}`);
});

test("serve() calls onResponse for requests that the listener rejects", async () => {
  const events: string[] = [];
  const own = await serve(memory, {
    port: 0,
    onResponse: ({ method, path, status }) =>
      events.push(`${method} ${path} ${status}`),
  });
  await exchange(portOf(own), "GET /plants?x HTTP/1.1\r\n\r\n");
  await exchange(portOf(own), withHeaders(COFFEE));
  await exchange(portOf(own), CONNECT);
  await own.close();
  assertEquals(events, ["GET /plants 400", "GET /plants 417", "CONNECT  405"]);
});
