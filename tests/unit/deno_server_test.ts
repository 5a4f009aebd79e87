import { after, before, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { createMemoryStore, type PlantStore } from "../../mod.ts";
import { serve, type Server } from "../../src/server/serve.ts";
import { exchange, openWire, parseResponses } from "../contract/wire.ts";
import { createGate } from "../support/gate.ts";

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

let server: Server;
let port: number;
before(async () => {
  assert("Deno" in globalThis);
  server = await serve(store, { port: 0 });
  port = Number(new URL(server.url).port);
});
after(() => server.close());

const OPEN = "GET /plants HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer t\r\n";
const CLOSING = `${OPEN}Connection: close\r\n\r\n`;
const SLOW = CLOSING.replace("Bearer t", "Bearer slow");
const BODY = '[{"name":"a"},{"name":"b"}]';

// What the runtime answers by itself has no body: the documents say so.
for (
  const [id, request] of [
    ["two Hosts", "GET /plants HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    [
      "both framings",
      `${OPEN}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
    ],
    ["two lengths", `${OPEN}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ["no HTTP at all", "hello\r\n\r\n"],
    ["headers too long", `${OPEN}X: ${"x".repeat(80_000)}\r\n\r\n`],
  ] as const
) {
  test(`Deno.serve refuses ${id} by itself`, async () => {
    const received = await exchange(port, request);
    const [response] = parseResponses(received, ["GET"]);
    assert(response!.status === 400 || response!.status === 431, received);
    assertEquals(response!.body, "");
  });
}

for (
  const [id, status, request] of [
    [
      "no Host",
      200,
      "GET /plants HTTP/1.1\r\nAuthorization: Bearer t\r\nConnection: close\r\n\r\n",
    ],
    [
      "an unknown expectation",
      200,
      `${OPEN}Expect: coffee\r\nConnection: close\r\n\r\n`,
    ],
    [
      "an upgrade",
      200,
      `${OPEN}Upgrade: websocket\r\nConnection: upgrade, close\r\n\r\n`,
    ],
    ["an unknown method", 405, CLOSING.replace("GET", "FOO")],
    ["a lower-case method", 405, CLOSING.replace("GET", "get")],
    ["TRACE", 405, CLOSING.replace("GET", "TRACE")],
    [
      "CONNECT",
      405,
      "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\nConnection: close\r\n\r\n",
    ],
    ["another scheme", 404, CLOSING.replace("/plants", "ftp://h/plants")],
  ] as const
) {
  test(`Deno.serve answers ${id} with ${status}`, async () => {
    const [response] = parseResponses(await exchange(port, request), ["GET"]);
    assertEquals(response?.status, status);
    assertEquals(response?.headers.get("access-control-allow-origin"), "*");
    if (status === 405) {
      assertEquals(response?.headers.get("allow"), "GET, HEAD, OPTIONS");
    }
  });
}

test("Deno.serve answers pipelined requests in their order", async () => {
  const received = await exchange(
    port,
    [
      `${OPEN}\r\n`,
      `${OPEN}\r\n`.replace("GET", "HEAD"),
      `${OPEN}\r\n`.replace("/plants", "/nope"),
      CLOSING,
    ].join(""),
  );
  const responses = parseResponses(received, ["GET", "HEAD", "GET", "GET"]);
  assertEquals(
    responses.map(({ status, body }) => [status, body.length]),
    [[200, BODY.length], [200, 0], [404, responses[2]!.body.length], [
      200,
      BODY.length,
    ]],
  );
});

test("Server.close() finishes the requests under way, and nothing else holds it", async () => {
  const own = await serve(store, { port: 0 });
  const ownPort = Number(new URL(own.url).port);
  asked = createGate();
  answered = createGate();
  const silent = openWire(ownPort);
  const partial = openWire(ownPort);
  partial.write("GET /plants HTTP/1.1\r\n");
  const idle = openWire(ownPort);
  idle.write(`${OPEN}\r\n`);
  await idle.until(/\}\]$/);
  const slow = openWire(ownPort);
  slow.write(SLOW);
  await asked.opened;

  const closed = own.close();
  assertEquals(await silent.closed, "");
  assertEquals(await partial.closed, "");
  await idle.closed;
  answered.open();
  const [response] = parseResponses(await slow.closed, ["GET"]);
  assertEquals(response?.body, BODY);
  await closed;
  assertEquals(await exchange(ownPort, CLOSING), "");
});

test("Server.close() does not wait longer than its deadline", async () => {
  const own = await serve(store, { port: 0 });
  asked = createGate();
  answered = createGate();
  const slow = openWire(Number(new URL(own.url).port));
  slow.write(SLOW);
  await asked.opened;
  await own.close({ deadline: 100 });
  // Deno has no way to cut it, so the end of the process does.
  answered.open();
  const [response] = parseResponses(await slow.closed, ["GET"]);
  assertEquals(response?.body, BODY);
});
