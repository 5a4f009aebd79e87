import { Buffer } from "node:buffer";
import { once } from "node:events";
import { createServer, IncomingMessage, ServerResponse } from "node:http";
import {
  connect,
  constants,
  createServer as createHttp2Server,
} from "node:http2";
import { Socket } from "node:net";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals } from "@std/assert";
import { createMemoryStore, withBehavior } from "plant-store";
import { createNodeListener } from "plant-store/node";
import {
  createSender,
  exchange,
  openWire,
  parseResponses,
} from "../../contract/wire.ts";
import { listen } from "../../../tools/port.ts";
import {
  BODY,
  createSlowStore,
  GET,
  store,
  users,
  withHeaders,
} from "../../support/server.ts";

const headers = [["Authorization", "Bearer t"]] as const;
const request = { method: "GET", target: "/plants", headers } as const;

test("createNodeListener() keeps the headers that the host has set", async (t) => {
  const listener = createNodeListener(store);
  const host = createServer((request, response) => {
    response.setHeader("X-Powered-By", "host");
    response.setHeader("Vary", "Origin");
    if (request.url === "/readyz") response.setHeader("Connection", "close");
    listener(request, response);
  });
  const port = await listen(t, host);
  const { headers: list } = await createSender(port)(request);
  assertEquals(list.get("x-powered-by"), "host");
  assertEquals(list.get("vary"), "Authorization, Origin");
  const ready = GET.replace("/plants", "/readyz");
  const received = await exchange(port, ready + GET);
  assertEquals(parseResponses(received, ["GET"]).length, 1);
});

for (
  const [name, socket] of [
    ["that was on no connection, as in srvx", new Socket()],
    ["without a socket, as in fetch-to-node", null],
  ] as const
) {
  test(`createNodeListener() accepts a message ${name}`, async () => {
    const message = new IncomingMessage(socket as Socket);
    const properties = { method: "GET", url: "/healthz", httpVersion: "1.1" };
    const response = new ServerResponse(Object.assign(message, properties));
    await createNodeListener(store)(message, response);
    assertEquals(response.statusCode, 200);
  });
}

test("createNodeListener() resolves when it has ended the response, as in Koa", async (t) => {
  const isEnded: boolean[] = [];
  const listener = createNodeListener({
    authenticate: (token) => Promise.resolve(store.authenticate(token)),
  });
  const host = createServer(async (request, response) => {
    await listener(request, response);
    isEnded.push(response.writableEnded);
    if (!response.writableEnded) response.end("Not Found");
  });
  const port = await listen(t, host);
  const post = withHeaders("Content-Length: 70000", "Connection: close")
    .replace("GET", "POST") + "x".repeat(70_000);
  const received = await exchange(port, GET + GET + post);
  const responses = parseResponses(received, []);
  assertEquals(responses.map(({ status }) => status), [200, 200, 405]);
  assertEquals(isEnded, [true, true, true]);
});

test("createNodeListener() encodes a long list while the client reads it", async (t) => {
  const plants = Array(100_000).fill({ name: "x".repeat(90) });
  const listener = createNodeListener(createMemoryStore({ plants, users }));
  let length = 0, isEnded = false, listeners = 0;
  const host = createServer(async (request, response) => {
    const { write, on } = response;
    response.on = ((name: string, call: () => void) => {
      if (name === "drain") listeners++; // `compression` keeps all
      return on.call(response, name, call);
    }) as typeof on;
    response.write = ((chunk: Uint8Array) => {
      length += chunk.length;
      return write.call(response, chunk, "utf8");
    }) as typeof write;
    await listener(request, response);
    isEnded = true;
  });
  const wire = openWire(await listen(t, host));
  wire.write(withHeaders("Connection: close"));
  await wire.until(/^HTTP/);
  wire.pause();
  const size = JSON.stringify(plants).length;
  await setTimeout(500);
  assert(length > 0 && length < size && !isEnded);
  wire.resume();
  const [response] = parseResponses(await wire.closed, ["GET"]);
  assertEquals([response!.body.length, length, isEnded], [size, size, true]);
  assertEquals(listeners, 1);
});

test("createNodeListener() resolves when a client of HTTP/2 cancels a long list", async (t) => {
  const plants = Array(100_000).fill({ name: "x".repeat(90) });
  const listener = createNodeListener(createMemoryStore({ plants, users }));
  const host = createHttp2Server();
  const isResolved = new Promise((resolve) => {
    host.on("request", (request, response) => {
      resolve(listener(request as never, response as never));
    });
  });
  const client = connect(`http://127.0.0.1:${await listen(t, host)}`);
  t.after(() => client.destroy());
  const headers = { ":path": "/plants", authorization: "Bearer t" };
  const stream = client.request(headers);
  await once(stream, "data");
  stream.close(constants.NGHTTP2_CANCEL);
  await isResolved;
});

test("createNodeListener() sends nothing if the host has already responded", async (t) => {
  const store = createSlowStore();
  const { release } = store.hold();
  const slow = createNodeListener(store);
  let done: Promise<void> | undefined;
  const host = createServer((request, response) => {
    done = slow(request, response);
    response.end("timeout");
  });
  const headers = [["Authorization", "Bearer slow"]] as const;
  const sender = createSender(await listen(t, host));
  assertEquals((await sender({ ...request, headers })).body, "timeout");
  release();
  await done;
});

test("createNodeListener() responds after a delay if the host has read the request", async (t) => {
  const listener = createNodeListener(withBehavior(store, {}, { delay: 20 }));
  const host = createServer((request, response) => {
    void listener(request.resume(), response);
  });
  const { status } = await createSender(await listen(t, host))(request);
  assertEquals(status, 200);
});

test("createNodeListener() responds on HTTP/2, with the authority in URLs", async (t) => {
  const listener = createNodeListener(store, {
    explorer: ({ baseUrl: text }) => ({ headers: {}, text }),
  });
  // The messages of HTTP/2 differ from those of HTTP/1 only in their types.
  const port = await listen(t, createHttp2Server(listener as never));
  const session = connect(`http://127.0.0.1:${port}`);
  t.after(() => session.destroy());
  const own = { ":authority": "plants.example", authorization: "Bearer t" };
  for (
    const [path, body] of [["/plants", BODY], ["/", "http://plants.example"]]
  ) {
    const stream = session.request({ ...own, ":path": path });
    assertEquals((await stream.setEncoding("utf8").toArray()).join(""), body);
  }
  const head = session.request({ ":path": "/healthz", ":method": "HEAD" });
  const [{ ":status": status }] = await once(head, "response");
  assertEquals(status, 200);
});

test("createNodeListener() closes the stream of a large body on HTTP/2", async (t) => {
  const server = createHttp2Server(createNodeListener(store) as never);
  const closed = once(server, "stream")
    .then(([stream]) => once(stream, "close"));
  const session = connect(`http://127.0.0.1:${await listen(t, server)}`);
  t.after(() => session.destroy());
  const post = session.request({ ":path": "/plants", ":method": "POST" });
  post.resume().end(Buffer.alloc(200_000));
  await closed;
});
