import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import type { PlantStore } from "../../mod.ts";
import { createNodeListener } from "../../src/server/node.ts";
import { serve } from "../../src/server/serve.ts";
import { exchange } from "../contract/wire.ts";
import { CLOSING, GET, portOf, store } from "../support/server.ts";

/** The number of requests for plants that reached the store. */
let lists = 0;
const counting: PlantStore = {
  authenticate(token) {
    lists++;
    return store.authenticate(token);
  },
};

/** Starts a server on a free port. */
const SERVERS: Readonly<
  Record<string, () => Promise<{ port: number; close(): unknown }>>
> = {
  async "serve()"() {
    const server = await serve(counting, { port: 0 });
    return {
      port: portOf(server),
      close: () => server.close({ deadline: 0 }),
    };
  },
  async "createNodeListener()"() {
    const server = createServer(
      { requireHostHeader: false },
      createNodeListener(counting),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    return {
      port,
      close() {
        server.close();
        server.closeAllConnections();
      },
    };
  },
};

const withoutHost = "GET /healthz HTTP/1.1\r\n\r\n";
/** Node.js closes the connection after this response, because it has no length. */
const http10 = "OPTIONS /plants HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
const withBody =
  "GET /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx";

for (const [name, start] of Object.entries(SERVERS)) {
  for (const [status, first] of [[400, withoutHost], [204, http10]] as const) {
    test(`${name} processes no request after a ${status} that closes the connection`, async (t) => {
      const { port, close } = await start();
      t.after(close);
      lists = 0;
      const received = await exchange(port, first + GET + GET);
      const lines = received.match(/^HTTP\/1\.1 \d+/gm);
      assertEquals([lines, lists], [[`HTTP/1.1 ${status}`], 0]);
    });

    test(`${name} survives resets after a ${status} and pipelined requests`, async (t) => {
      const { port, close } = await start();
      t.after(close);
      // Node.js itself crashed within 500 of these connections.
      for (let round = 0; round < 100; round++) {
        await Promise.all(Array.from({ length: 6 }, async () => {
          const socket = connect(port, "127.0.0.1").on("error", () => {});
          await once(socket, "connect");
          socket.write(first + withBody + GET.repeat(3));
          socket.resetAndDestroy();
        }));
        if (round % 10 === 0) await new Promise((done) => setTimeout(done, 5));
      }
      const received = await exchange(port, CLOSING);
      assertEquals(received.slice(0, 12), "HTTP/1.1 200");
    });
  }
}
