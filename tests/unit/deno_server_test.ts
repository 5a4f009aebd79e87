import { after, before, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { serve, type Server } from "../../src/server/serve.ts";
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
} from "../support/server.ts";

const store = createSlowStore();
const SLOW_CLOSING = SLOW.replace(/\r\n$/, "Connection: close\r\n\r\n");

let server: Server;
let port: number;
before(async () => {
  assert("Deno" in globalThis);
  server = await serve(store, { port: 0 });
  port = portOf(server);
});
after(() => server.close());

const withHeaders = (...headers: readonly string[]) =>
  `${OPEN}${headers.join("\r\n")}\r\n\r\n`;

// As documented, the runtime sends these responses without a body.
for (
  const [name, request] of [
    ["two Hosts", withHeaders("Host: b")],
    [
      "two framings",
      withHeaders("Transfer-Encoding: chunked", "Content-Length: 5"),
    ],
    ["two lengths", withHeaders("Content-Length: 1", "Content-Length: 2")],
    ["a text that is not HTTP", "hello\r\n\r\n"],
    ["long headers", withHeaders(`X: ${"x".repeat(80_000)}`)],
  ] as const
) {
  test(`Deno.serve itself rejects ${name}`, async () => {
    const received = await exchange(port, request);
    const [response] = parseResponses(received, ["GET"]);
    assert(response!.status === 400 || response!.status === 431, received);
    assertEquals(response!.body, "");
  });
}

for (
  const [name, status, request] of [
    ["no Host", 200, CLOSING.replace("Host: h\r\n", "")],
    [
      "an unknown expectation",
      200,
      withHeaders("Expect: coffee", "Connection: close"),
    ],
    [
      "an upgrade",
      200,
      withHeaders("Upgrade: websocket", "Connection: upgrade, close"),
    ],
    ["an unknown method", 405, CLOSING.replace("GET", "FOO")],
    ["a lower-case method", 405, CLOSING.replace("GET", "get")],
    ["TRACE", 405, CLOSING.replace("GET", "TRACE")],
    ["CONNECT", 405, CLOSING.replace("GET /plants", "CONNECT a:80")],
    ["another scheme", 404, CLOSING.replace("/plants", "ftp://h/plants")],
  ] as const
) {
  test(`the Deno server responds to ${name} with ${status}`, async () => {
    const [response] = parseResponses(await exchange(port, request), ["GET"]);
    assertEquals(response?.status, status);
    assertEquals(response?.headers.get("access-control-allow-origin"), "*");
    if (status === 405) {
      assertEquals(response?.headers.get("allow"), "GET, HEAD, OPTIONS");
    }
  });
}

test("the Deno server responds to pipelined requests in order", async () => {
  const head = GET.replace("GET", "HEAD");
  const nope = GET.replace("/plants", "/nope");
  const received = await exchange(port, GET + head + nope + CLOSING);
  const responses = parseResponses(received, ["GET", "HEAD", "GET", "GET"]);
  assertEquals(
    responses.map(({ status, body }) => [status, body.slice(0, 13)]),
    [
      [200, '[{"name":"a"}'],
      [200, ""],
      [404, '{"error":404,'],
      [200, '[{"name":"a"}'],
    ],
  );
});

test("Server.close() finishes in-flight requests and closes other connections", async () => {
  const own = await serve(store, { port: 0 });
  const { reached, release } = store.hold();
  const [silent, partial, idle] = await openIdleWires(portOf(own));
  const slow = openWire(portOf(own));
  slow.write(SLOW_CLOSING);
  await reached;

  const closed = own.close();
  assertEquals(await silent!.closed, "");
  assertEquals(await partial!.closed, "");
  await idle!.closed;
  release();
  const [response] = parseResponses(await slow.closed, ["GET"]);
  assertEquals(response?.body, BODY);
  await closed;
  assertEquals(await exchange(portOf(own), CLOSING), "");
});

test("Server.close() resolves at its deadline", async () => {
  const own = await serve(store, { port: 0 });
  const { reached, release } = store.hold();
  const slow = openWire(portOf(own));
  slow.write(SLOW_CLOSING);
  await reached;
  await own.close({ deadline: 100 });
  // Deno cannot close the connection, which closes when the process exits.
  release();
  const [response] = parseResponses(await slow.closed, ["GET"]);
  assertEquals(response?.body, BODY);
});
