import { connect } from "node:net";
import { after, before, test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import * as v from "valibot";
import { createMemoryStore, ErrorSchema, type PlantStore } from "../../mod.ts";
import { serve, type Server } from "../../src/server/serve.ts";
import type { CaseResponse } from "../contract/cases.ts";
import { createGate } from "../support/gate.ts";
import { exchange, openWire, parseResponses } from "../contract/wire.ts";

const memory = createMemoryStore({
  plants: [{ name: "a" }, { name: "b" }],
  users: { u: { plants: "all", tokens: ["t"] } },
});

/** A request with the token `slow` opens the first gate, and waits for the second. */
let asked = createGate();
let answered = createGate();
const store: PlantStore = {
  async authenticate(token) {
    if (token !== "slow") return memory.authenticate(token);
    asked.open();
    await answered.opened;
    return memory.authenticate("t");
  },
};
function closeGates(): void {
  asked = createGate();
  answered = createGate();
}

let server: Server;
let port: number;
before(async () => {
  server = await serve(store, { port: 0 });
  port = Number(new URL(server.url).port);
});
after(() => server.close());

const OPEN = "GET /plants HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer t\r\n";
const GET = `${OPEN}\r\n`;
const SLOW =
  "GET /plants HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer slow\r\n\r\n";
const CLOSING = `${OPEN}Connection: close\r\n\r\n`;
const BODY = '[{"name":"a"},{"name":"b"}]';

/** The one response, an Error body with CORS fields on a connection that ends. */
function assertRefused(
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

for (
  const [id, status, request] of [
    ["no Host", 400, "GET /plants HTTP/1.1\r\n\r\n"],
    ["two Hosts", 400, "GET /plants HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    [
      "the same Host twice",
      400,
      "GET /plants HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n",
    ],
    [
      "Transfer-Encoding: xchunked",
      400,
      `${OPEN}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      "Transfer-Encoding: gzip, chunked",
      400,
      `${OPEN}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      "Transfer-Encoding: identity",
      400,
      `${OPEN}Transfer-Encoding: identity\r\n\r\n`,
    ],
    [
      "both framings",
      400,
      `${OPEN}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
    ],
    [
      "two lengths",
      400,
      `${OPEN}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    ],
    ["a length with a sign", 400, `${OPEN}Content-Length: +1\r\n\r\na`],
    ["no HTTP at all", 400, "hello\r\n\r\n"],
    ["an unknown version", 400, "GET /plants HTTP/9.9\r\nHost: h\r\n\r\n"],
    ["an unknown method", 400, "FOO /plants HTTP/1.1\r\nHost: h\r\n\r\n"],
    ["a lower-case method", 400, "get /plants HTTP/1.1\r\nHost: h\r\n\r\n"],
    ["a space in the target", 400, "GET /pl ants HTTP/1.1\r\nHost: h\r\n\r\n"],
    [
      "a space before the colon",
      400,
      "GET /plants HTTP/1.1\r\nHost : h\r\n\r\n",
    ],
    [
      "a NUL in a field",
      400,
      "GET /plants HTTP/1.1\r\nHost: h\r\nX: \0\r\n\r\n",
    ],
    ["headers too long", 431, `${OPEN}X: ${"x".repeat(17_000)}\r\n\r\n`],
    [
      "a target too long",
      431,
      `GET /${"x".repeat(17_000)} HTTP/1.1\r\nHost: h\r\n\r\n`,
    ],
    ["an unknown expectation", 417, `${OPEN}Expect: coffee\r\n\r\n`],
    ["CONNECT", 405, "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n"],
    ["CONNECT without Host", 400, "CONNECT a:80 HTTP/1.1\r\n\r\n"],
    ["CONNECT of a path", 405, "CONNECT /plants HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["HTTP/2.0", 400, GET.replace("1.1", "2.0")],
    ["HTTP/0.9", 400, GET.replace("1.1", "0.9")],
    ["no version", 400, "GET /plants\r\n\r\n"],
    [
      "an expectation of a bad Host",
      400,
      "GET / HTTP/1.1\r\nHost: a/b\r\nExpect: coffee\r\n\r\n",
    ],
    [
      "an expectation without Host",
      400,
      "GET / HTTP/1.1\r\nExpect: coffee\r\n\r\n",
    ],
    [
      "an expectation in bad framing",
      400,
      `${OPEN}Expect: coffee\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n`,
    ],
    [
      "CONNECT with a bad Host",
      400,
      "CONNECT a:80 HTTP/1.1\r\nHost: a/b\r\n\r\n",
    ],
  ] as const
) {
  test(`node:http refuses ${id} with ${status} and closes`, async () => {
    const received = await exchange(port, request);
    const responses = parseResponses(received, ["GET"]);
    assertEquals(responses.length, 1, received);
    assertRefused(responses[0], status);
    if (status === 405) {
      assertEquals(responses[0]!.headers.get("allow"), "GET, HEAD, OPTIONS");
    }
  });
}

test("node:http answers TRACE with 405", async () => {
  const received = await exchange(
    port,
    "TRACE /plants HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
  );
  assertRefused(parseResponses(received, ["TRACE"])[0], 405);
});

test("node:http refuses a request that is cut short", async () => {
  const wire = openWire(port);
  wire.write("GET /plants HTTP/1.1\r\nHost: h\r\n");
  wire.end();
  assertRefused(parseResponses(await wire.closed, ["GET"])[0], 400);
});

test("node:http cuts slow headers with 408", async () => {
  const wire = openWire(port);
  wire.write("GET /plants HTTP/1.1\r\nHost: h\r\n");
  const start = performance.now();
  // A wire waits for 20 s; by default Node would look for slow headers after 30 s.
  assertRefused(parseResponses(await wire.closed, ["GET"])[0], 408);
  assert(performance.now() - start > 9_900);
});

test("node:http needs no Host on HTTP/1.0", async () => {
  const received = await exchange(
    port,
    "GET /plants HTTP/1.0\r\nAuthorization: Bearer t\r\n\r\n",
  );
  assertMatch(received, /^HTTP\/1\.1 200 OK\r\n/);
});

test("node:http answers pipelined requests in their order", async () => {
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

test("node:http answers what came before it refuses the rest", async () => {
  closeGates();
  const wire = openWire(port);
  wire.write(`${SLOW}nonsense\r\n\r\n`);
  await asked.opened;
  await exchange(port, CLOSING); // the rest has been read by then
  answered.open();
  const responses = parseResponses(await wire.closed, ["GET", "GET"]);
  assertEquals(responses.map(({ status }) => status), [200, 400]);
  assertEquals(responses[0]!.body, BODY);
  assertRefused(responses[1], 400);
});

test("node:http keeps the connection after a short body", async () => {
  const received = await exchange(
    port,
    `${OPEN}Content-Length: 5\r\n\r\nhello${CLOSING}`,
  );
  const responses = parseResponses(received, ["GET", "GET"]);
  assertEquals(responses.map(({ status }) => status), [200, 200]);
});

for (
  const [id, fields] of [
    ["a long body", "Content-Length: 70000"],
    ["a chunked body", "Transfer-Encoding: chunked"],
    [
      "a body that waits to be asked for",
      "Content-Length: 5\r\nExpect: 100-continue",
    ],
  ]
) {
  test(`node:http answers ${id} at once and closes`, async () => {
    const wire = openWire(port);
    wire.write(`${OPEN}${fields}\r\n\r\n`);
    const received = await wire.closed;
    assertEquals(received.includes("100 Continue"), false);
    const [response] = parseResponses(received, ["GET"]);
    assertEquals(response?.status, 200);
    assertEquals(response?.headers.get("connection"), "close");
  });
}

test("node:http ignores an upgrade, and closes: what follows it is not parsed", async () => {
  const received = await exchange(
    port,
    `${OPEN}Upgrade: h2c\r\nConnection: upgrade\r\n\r\n${GET}`,
  );
  const [response, ...others] = parseResponses(received, ["GET"]);
  assertEquals(response?.status, 200);
  assertEquals(response?.headers.get("connection"), "close");
  assertEquals(others, []);
});

test("Server.close() finishes the requests under way, and nothing else holds it", async () => {
  const own = await serve(store, { port: 0 });
  const ownPort = Number(new URL(own.url).port);
  closeGates();
  const silent = openWire(ownPort);
  const partial = openWire(ownPort);
  partial.write("GET /plants HTTP/1.1\r\n");
  const idle = openWire(ownPort);
  idle.write(GET);
  await idle.until(/\}\]$/);
  const slow = openWire(ownPort);
  slow.write(SLOW);
  await asked.opened;

  const closed = own.close();
  assertEquals(own.close(), closed);
  assertEquals(await silent.closed, "");
  assertEquals(await partial.closed, "");
  await idle.closed;
  // One more on a connection that still has an answer to come: not ready any more.
  slow.write("GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n");
  answered.open();
  const [response] = parseResponses(await slow.closed, ["GET", "GET"]);
  assertEquals(response?.body, BODY);
  assertEquals(response?.headers.get("connection"), "close");
  await closed;
  assertEquals(await exchange(ownPort, GET), "");
});

test("Server.close() cuts what is still under way at the deadline", async () => {
  const own = await serve(store, { port: 0 });
  closeGates();
  const slow = openWire(Number(new URL(own.url).port));
  slow.write(SLOW);
  await asked.opened;
  await own.close({ deadline: 100 });
  assertEquals(await slow.closed, "");
  answered.open();
});

test("Server.close() lets a slow reader have the whole answer, and is not ready any more", async () => {
  const plants = Array.from({ length: 300_000 }, (_, index) => ({
    name: `Plant number ${index} with a name that is rather long`,
  }));
  const large = createMemoryStore({
    plants,
    users: { u: { plants: "all", tokens: ["t"] } },
  });
  const own = await serve(large, { port: 0 });
  const ownPort = Number(new URL(own.url).port);
  const wire = openWire(ownPort);
  const idle = openWire(ownPort);
  wire.write(GET);
  await wire.until(/^HTTP/);
  wire.pause();
  const closed = own.close({ deadline: 60_000 });
  await idle.closed; // what waits for nothing has been closed by then
  wire.write("GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n");
  wire.resume();
  const responses = parseResponses(await wire.closed, ["GET", "GET"]);
  assertEquals(responses.map(({ status }) => status), [200, 503]);
  assertEquals(JSON.parse(responses[0]!.body).length, plants.length);
  assertRefused(responses[1], 503);
  await closed;
});

test("node:http refuses CONNECT after the answers before it", async () => {
  closeGates();
  const wire = openWire(port);
  wire.write(`${SLOW}CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n`);
  await asked.opened;
  answered.open();
  const responses = parseResponses(await wire.closed, ["GET", "CONNECT"]);
  assertEquals(responses.map(({ status }) => status), [200, 405]);
});

test("node:http survives a client that resets after CONNECT", async () => {
  closeGates();
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {});
  socket.write(`${SLOW}CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n`);
  await asked.opened;
  socket.resetAndDestroy();
  await exchange(port, CLOSING); // the reset has been noticed by then
  answered.open();
  const received = await exchange(port, CLOSING);
  assertEquals(parseResponses(received, ["GET"])[0]?.status, 200);
});

test("node:http gives its refusal to a client that sends a large body", async () => {
  const body = new Uint8Array(3_000_000);
  for (let round = 0; round < 20; round++) {
    const response = await fetch(`${server.url}plants`, {
      method: "POST",
      body,
    });
    assertEquals(response.status, 405);
    await response.text();
  }
});

test("node:http answers once, though the body is cut short", async () => {
  const wire = openWire(port);
  wire.write(`${OPEN.replace("GET", "POST")}Content-Length: 10\r\n\r\nabc`);
  await wire.until(/405/);
  wire.end();
  const responses = parseResponses(await wire.closed, ["POST"]);
  assertEquals(responses.map(({ status }) => status), [405]);
});

for (
  const [id, head, more, status] of [
    ["headers too long", `${OPEN}X: ${"x".repeat(17_000)}`, "x", 431],
    [
      "a short body after Connection: close",
      `${OPEN}Connection: close\r\nContent-Length: 4000\r\n\r\n`,
      "x",
      200,
    ],
    [
      "a short body with two Hosts",
      "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 4000\r\n\r\n",
      "x",
      400,
    ],
    [
      "requests after two Hosts",
      "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      GET,
      400,
    ],
    ["requests after HTTP/2.0", GET.replace("1.1", "2.0"), GET, 400],
    ["requests after Connection: close", CLOSING, GET, 200],
    [
      "requests after an upgrade",
      `${OPEN}Upgrade: h2c\r\nConnection: upgrade\r\n\r\n`,
      GET,
      200,
    ],
  ] as const
) {
  test(`node:http sends one response to a client that sends ${id} before it reads`, async () => {
    const wire = openWire(port);
    wire.pause();
    wire.write(head);
    for (let round = 0; round < 20; round++) {
      wire.write(more);
      await exchange(port, CLOSING); // it has been read by then
    }
    wire.resume();
    const responses = parseResponses(await wire.closed, ["GET"]);
    assertEquals(responses.map(({ status }) => status), [status]);
    assertEquals(responses[0]!.headers.get("connection"), "close");
  });
}

test("node:http answers no request after the last response", async () => {
  const statuses: number[] = [];
  const own = await serve(memory, {
    port: 0,
    onResponse: ({ status }) => statuses.push(status),
  });
  const wire = openWire(Number(new URL(own.url).port));
  wire.write("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
  await wire.until(/\}$/);
  wire.write(GET);
  await wire.closed;
  await own.close();
  assertEquals(statuses, [400]);
});

test("node:http answers all that a connection asks at once, in turn with others", async () => {
  const wire = openWire(port);
  wire.write(GET.repeat(9_999) + CLOSING);
  let isOver = false, others = 0;
  wire.closed.finally(() => isOver = true);
  for (; !isOver; others++) await exchange(port, CLOSING);
  const received = await wire.closed;
  assertEquals(received.split("HTTP/1.1 200 OK\r\n").length - 1, 10_000);
  assertEquals(received.split(`\r\n\r\n${BODY}`).length - 1, 10_000);
  // Some 1,000 are answered in a turn. Without a limit there are 4 others, with it thousands.
  assert(others > 20, `${others}`);
});

test("serve() tells onResponse of what the listener refuses", async () => {
  const events: string[] = [];
  const own = await serve(memory, {
    port: 0,
    onResponse: ({ method, path, status }) =>
      events.push(`${method} ${path} ${status}`),
  });
  const ownPort = Number(new URL(own.url).port);
  await exchange(ownPort, "GET /plants?x HTTP/1.1\r\n\r\n");
  await exchange(ownPort, `${OPEN}Expect: coffee\r\n\r\n`);
  await exchange(ownPort, "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n");
  await own.close();
  assertEquals(events, ["GET /plants 400", "GET /plants 417", "CONNECT  405"]);
});
