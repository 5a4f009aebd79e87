import { createServer } from "node:http";
import { connect } from "node:net";
import { test, type TestContext } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { type PlantStore, withBehavior } from "../../../mod.ts";
import { createNodeListener } from "../../../src/server/node.ts";
import { exchange, openWire, parseResponses } from "../../contract/wire.ts";
import { createGate } from "../../support/gate.ts";
import { listenWith } from "../../support/node_server.ts";
import { listen } from "../../../tools/port.ts";
import {
  BODY,
  CLOSING,
  createSlowStore,
  GET,
  SLOW,
  store,
  withHeaders,
} from "../../support/server.ts";

// Requests on a connection are processed one at a time, in a server and in a host.

/** Starts a server and returns its port. */
type Start = (t: TestContext, store: PlantStore) => Promise<number>;

const serve: Start = async (t, store) => {
  const server = await listenWith(store);
  t.after(() => server[Symbol.asyncDispose]());
  return server.port;
};

const SERVERS: Readonly<Record<string, Start>> = {
  "serve()": serve,
  "createNodeListener()": (t, store) =>
    listen(t, createServer(createNodeListener(store))),
};

/** Sends requests while the first one takes time, and returns their responses. */
async function sendBehindSlow(
  t: TestContext,
  start: Start,
  requests: string,
  halfCloses = false,
) {
  const slow = createSlowStore();
  const { reached, release } = slow.hold();
  const port = await start(t, slow);
  const wire = openWire(port);
  wire.write(SLOW + requests);
  if (halfCloses) wire.end();
  await reached;
  await exchange(port, CLOSING); // by now, all requests have been read
  release();
  return parseResponses(await wire.closed, []);
}

/** A request that only a server rejects; in a host, Node.js does. */
const WITHOUT_HOST = "GET /healthz HTTP/1.1\r\n\r\n";

/** Requests whose responses close the connection. */
const LAST: readonly string[] = [
  "OPTIONS /plants HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
  "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: x, close\r\n\r\n",
  "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
  "GET /healthz HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: x\r\n\r\n",
  "GET /healthz HTTP/1.1\r\nHost: h\r\nHost: h2\r\n\r\n",
];

for (const [name, start] of Object.entries(SERVERS)) {
  for (const last of name === "serve()" ? [WITHOUT_HOST, ...LAST] : LAST) {
    const line = last.trimEnd().split("\r\n").at(-1);
    test(`${name} processes no request after "${line}"`, async (t) => {
      let count = 0;
      const authenticate = () => void count++;
      const port = await start(t, { authenticate });
      const received = await exchange(port, last + GET.repeat(500));
      assertEquals([parseResponses(received, []).length, count], [1, 0]);
    });
  }

  test(`${name} processes one request of a connection at a time`, async (t) => {
    let running = 0, most = 0;
    const port = await start(t, {
      async authenticate(token) {
        most = Math.max(most, ++running);
        await new Promise((done) => setTimeout(done, 5));
        running--;
        return store.authenticate(token);
      },
    });
    const received = await exchange(port, GET.repeat(5) + CLOSING);
    const responses = parseResponses(received, []);
    assertEquals(responses.map(({ body }) => body), Array(6).fill(BODY));
    assertEquals(most, 1);
  });

  test(`${name} responds to a waiting request with 201 headers`, async (t) => {
    const request = withHeaders(...Array(199).fill("a:")); // and two others
    const responses = await sendBehindSlow(t, start, request);
    assertEquals(responses.map(({ status }) => status), [200, 431]);
  });

  test(`${name} processes nothing after the client has disconnected`, async (t) => {
    let authenticated = 0, listed = 0;
    const reached = createGate();
    const authenticate = () => {
      authenticated++;
      reached.open();
      return { name: "u", list: () => (listed++, []) };
    };
    const slow = withBehavior({ authenticate }, {}, { delay: 200 });
    const port = await start(t, slow);
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    socket.write(GET.repeat(5));
    await reached.opened;
    socket.resetAndDestroy();
    await exchange(port, CLOSING); // takes at least as long
    assertEquals([authenticated, listed], [3, 1]);
  });

  test(`${name} sends whole responses to pipelined requests with Expect`, async (t) => {
    // The list is sent as bytes.
    const list = () => [{ name: "é".repeat(10_000) }];
    const port = await start(t, { authenticate: () => ({ name: "u", list }) });
    const expecting = withHeaders("Expect: 100-continue");
    const received = await exchange(port, GET + expecting + CLOSING);
    const final = received.replace("HTTP/1.1 100 Continue\r\n\r\n", "");
    const bodies = parseResponses(final, []).map(({ body }) => body);
    assertEquals(bodies.slice(0, 2), Array(2).fill(JSON.stringify(list())));
  });
}

test("serve() sends all responses and closes if too many requests wait", async (t) => {
  const few = await sendBehindSlow(t, serve, GET.repeat(19) + CLOSING);
  assertEquals(few.length, 21);
  for (const count of [100, 10_000]) {
    const responses = await sendBehindSlow(t, serve, GET.repeat(count));
    assert(responses.length > 20 && responses.length < 50);
    const closing = responses.filter(({ headers }) =>
      headers.get("connection") === "close"
    );
    assertEquals(closing, responses.slice(-1));
  }
});

for (
  const last of [
    "GET / HTTP/1.1\r\n\r\n",
    "CONNECT a:1 HTTP/1.1\r\n\r\n",
    withHeaders("Connection: upgrade", "Upgrade: x").repeat(40),
  ]
) {
  test(`requests of clients that have disconnected no longer count as waiting: ${last.slice(0, 30)}`, async (t) => {
    const slow = createSlowStore();
    // Room for five requests.
    const server = await listenWith(slow, { totalQueuedBytes: 20_000 });
    t.after(() => server[Symbol.asyncDispose]());
    for (let round = 0; round < 5; round++) {
      const { reached, release } = slow.hold();
      const wire = openWire(server.port);
      wire.write(SLOW + GET.repeat(4) + (round < 4 ? last : ""));
      await reached;
      await exchange(server.port, CLOSING); // by now, all requests have been read
      if (round < 4) wire.destroy();
      else wire.write(CLOSING);
      await exchange(server.port, CLOSING);
      release();
      const received = await wire.closed;
      if (round === 4) assertEquals(parseResponses(received, []).length, 6);
    }
  });
}

test("requests that have waited no longer count as waiting", async (t) => {
  const server = await listenWith(store, { queuedBytes: 10_000 });
  t.after(() => server[Symbol.asyncDispose]());
  const wire = openWire(server.port);
  const count = (text: string) => text.split("HTTP/1.1 200").length - 1;
  for (let round = 1; round <= 10; round++) {
    wire.write(GET.repeat(2)); // the second one waits
    await wire.until(new RegExp(`^(?:HTTP((?!HTTP)[^])*){${2 * round}}$`));
  }
  wire.write(CLOSING);
  assertEquals(count(await wire.closed), 21);
});

test("serve() omits the delay of a client that disconnects while the store authenticates", async (t) => {
  const slow = createSlowStore();
  const { reached, release } = slow.hold();
  const statuses: number[] = [];
  const responded = createGate();
  const server = await listenWith(withBehavior(slow, {}, { delay: 3_000 }), {
    onResponse({ status, path }) {
      statuses.push(status);
      if (path === "/plants") responded.open();
    },
  });
  t.after(() => server[Symbol.asyncDispose]());
  const socket = connect(server.port, "127.0.0.1").on("error", () => {});
  socket.write(SLOW);
  await reached;
  socket.resetAndDestroy();
  await exchange(server.port, CLOSING.replace("/plants", "/healthz")); // by now, the server has noticed
  release();
  await responded.opened;
  assertEquals(statuses, [200, 499]);
});

const CHUNKED = withHeaders("Transfer-Encoding: chunked") +
  "5\r\nhello\r\n0\r\n\r\n";

for (
  const [name, request, halfCloses] of [
    ["a client that has finished sending", GET, true],
    ["a waiting request with a body", CHUNKED, false],
  ] as const
) {
  test(`serve() responds to ${name}, in order`, async (t) => {
    const responses = await sendBehindSlow(t, serve, GET + request, halfCloses);
    assertEquals(responses.map(({ body }) => body), Array(3).fill(BODY));
  });
}

test("createNodeListener() never touches requests and responses of its host", async (t) => {
  const listener = createNodeListener(store);
  const own = createGate();
  const host = createServer((request, response) => {
    if (request.url !== "/own") void listener(request, response);
    else void own.opened.then(() => response.end("own"));
  });
  const port = await listen(t, host);
  const wire = openWire(port);
  const request = "GET /own HTTP/1.1\r\nHost: h\r\n\r\n";
  wire.write(request + GET.repeat(100) + request + CLOSING);
  await exchange(port, CLOSING); // by now, all requests have been read
  own.open();
  const received = await wire.closed;
  assertEquals(received.match(/HTTP\/1.1 200 /g)?.length, 103);
  assertEquals(received.match(/\r\nown/g)?.length, 2);
});

test("createNodeListener() needs no global functions that Jest removes for jsdom", async (t) => {
  const port = await listen(t, createServer(createNodeListener(store)));
  const { setImmediate } = globalThis;
  t.after(() => Object.assign(globalThis, { setImmediate }));
  Reflect.deleteProperty(globalThis, "setImmediate");
  const received = await exchange(port, GET.repeat(2) + CLOSING);
  assertEquals(parseResponses(received, []).length, 3);
});
