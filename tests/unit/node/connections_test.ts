import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { test, type TestContext } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import type { PlantStore } from "../../../mod.ts";
import { createNodeListener } from "../../../src/server/node.ts";
import { serve } from "../../../src/server/serve.ts";
import { exchange, openWire, parseResponses } from "../../contract/wire.ts";
import { createGate } from "../../support/gate.ts";
import { listen } from "../../support/port.ts";
import {
  BODY,
  CLOSING,
  GET,
  portOf,
  store,
  withHeaders,
} from "../../support/server.ts";

/** A name whose list is sent as bytes. */
const LONG = "é".repeat(10_000);

/** The number of requests for plants that reached the store. */
let lists = 0;
const counting: PlantStore = {
  authenticate(token) {
    lists++;
    if (token !== "bytes") return store.authenticate(token);
    return { name: "u", list: () => [{ name: LONG }] };
  },
};

/** Start a server and return its port. */
const SERVERS: Readonly<
  Record<string, (t: TestContext, store?: PlantStore) => Promise<number>>
> = {
  async "serve()"(t, store = counting) {
    const server = await serve(store, { port: 0 });
    t.after(() => server.close({ shutdownTimeout: 0 }));
    return portOf(server);
  },
  "createNodeListener()"(t, store = counting) {
    const listener = createNodeListener(store);
    return listen(t, createServer({ requireHostHeader: false }, listener));
  },
};

const withoutHost = "GET /healthz HTTP/1.1\r\n\r\n";
/** Node.js closes the connection after this response, because it has no length. */
const http10 = "OPTIONS /plants HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
const withBody =
  "GET /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx";

/** Node.js never parses what it has read after an upgrade that is declined. */
const upgrade =
  "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n";
/** Node.js closes the connection after this response, which is asynchronous. */
const expecting =
  "GET /readyz HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n";
const closing =
  "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: x, close\r\n\r\n";

for (const [name, start] of Object.entries(SERVERS)) {
  for (
    const [status, first] of [
      [400, withoutHost],
      [204, http10],
      [200, closing],
      [200, upgrade],
      [200, expecting],
    ] as const
  ) {
    const line = first.trimEnd().split("\r\n").at(-1);
    // By default, Node.js sends 100 and processes the next request.
    if (first === expecting && name !== "serve()") continue;
    test(`${name} processes no request after "${line}"`, async (t) => {
      const port = await start(t);
      lists = 0;
      const received = await exchange(port, first + GET + GET);
      const lines = received.match(/^HTTP\/1\.1 [2-5]\d+/gm);
      assertEquals([lines, lists], [[`HTTP/1.1 ${status}`], 0]);
    });
  }

  test(`${name} processes 11 pipelined requests and closes the connection at the next one`, async (t) => {
    const port = await start(t);
    lists = 0;
    const wire = openWire(port);
    const last = GET.replace("/plants", "/healthz");
    wire.write(GET.repeat(10) + last);
    await wire.until(/"ok"/);
    assertEquals(lists, 10);
    lists = 0;
    wire.write(GET.repeat(500));
    await wire.closed;
    assertEquals(lists, 1); // the others were waiting
    lists = 0;
    await exchange(port, closing + GET.repeat(500));
    assertEquals(lists, 0);
  });

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

  test(`${name} processes no waiting request after the client has disconnected`, async (t) => {
    let started = 0;
    const reached = createGate(), released = createGate();
    const port = await start(t, {
      async authenticate() {
        started++;
        reached.open();
        await released.opened;
        return undefined;
      },
    });
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    socket.write(GET.repeat(5));
    await reached.opened;
    socket.resetAndDestroy();
    await exchange(port, closing); // by now, the reset has arrived
    released.open();
    await exchange(port, closing);
    assertEquals(started, 1);
  });

  test(`${name} sends whole responses to pipelined requests with Expect`, async (t) => {
    const port = await start(t);
    const expecting = withHeaders("Expect: 100-continue")
      .replace("Bearer t", "Bearer bytes");
    const received = await exchange(port, GET + expecting + GET);
    const final = received.replace("HTTP/1.1 100 Continue\r\n\r\n", "");
    const responses = parseResponses(final, ["GET", "GET", "GET"]);
    assertEquals(
      responses.slice(0, 2).map(({ body }) => body),
      [BODY, `[{"name":"${LONG}"}]`],
    );
  });

  test(`${name} survives resets after pipelined requests`, async (t) => {
    const port = await start(t);
    // Node.js itself crashed within 500 of these connections.
    for (let round = 0; round < 100; round++) {
      const firsts = [withoutHost, http10, expecting];
      const starts = Array(2).fill(firsts).flat();
      await Promise.all(starts.map(async (first) => {
        const socket = connect(port, "127.0.0.1").on("error", () => {});
        await once(socket, "connect");
        socket.write(first + withBody + GET.repeat(3));
        socket.resetAndDestroy();
      }));
      if (round % 10 === 0) await new Promise((done) => setTimeout(done, 5));
    }
    assertMatch(await exchange(port, CLOSING), /^HTTP\/1\.1 200 /);
  });
}
