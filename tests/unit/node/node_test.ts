import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import { connect, createServer as createHttp2Server } from "node:http2";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createNodeListener } from "plant-store/node";
import { NodeRequest } from "../../../src/server/node/adapter.ts";
import { exchange, parseResponses, sendOverWire } from "../../contract/wire.ts";
import { listen } from "../../support/port.ts";
import {
  BODY,
  createSlowStore,
  GET,
  store,
  withHeaders,
} from "../../support/server.ts";

const headers = [["Authorization", "Bearer t"]] as const;

test("createNodeListener() keeps the headers that the host has set", async (t) => {
  const tokens: string[] = [];
  const listener = createNodeListener({
    authenticate(token) {
      tokens.push(token);
      return store.authenticate(token);
    },
  });
  const host = createServer((request, response) => {
    response.setHeader("X-Powered-By", "host");
    response.setHeader("Vary", "Origin");
    if (request.url === "/readyz") response.setHeader("Connection", "close");
    listener(request, response);
  });
  const port = await listen(t, host);
  const { headers: list } = await sendOverWire(port, { headers });
  assertEquals(list.get("x-powered-by"), "host");
  assertEquals(list.get("vary"), "Authorization, Origin");
  const health = await sendOverWire(port, { target: "/healthz" });
  assertEquals(health.headers.get("vary"), "Origin");
  const received = await exchange(
    port,
    GET.replace("/plants", "/readyz") + GET,
  );
  assertEquals(parseResponses(received, ["GET"]).length, 1);
  assertEquals(tokens, ["t"]); // the request after the last response is not processed
});

test("createNodeListener() checks repeated Authorization and Host headers", async (t) => {
  const port = await listen(t, createServer(createNodeListener(store)));
  const twice = [...headers, ["Authorization", "Bearer other"]] as const;
  assertEquals((await sendOverWire(port, { headers: twice })).status, 401);
  const received = await exchange(
    port,
    "GET /plants HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
  );
  assertEquals(parseResponses(received, ["GET"])[0]?.status, 400);
});

test("createNodeListener() sends nothing if the host has already responded", async (t) => {
  const store = createSlowStore();
  const { release } = store.hold();
  const slow = createNodeListener(store);
  let done: void | Promise<void> = undefined;
  const port = await listen(
    t,
    createServer((request, response) => {
      done = slow(request, response);
      response.end("timeout");
    }),
  );
  const response = await fetch(`http://127.0.0.1:${port}/plants`, {
    headers: { authorization: "Bearer slow" },
  });
  assertEquals(await response.text(), "timeout");
  release();
  await done;
});

test("createNodeListener() returns a promise for an asynchronous response", async (t) => {
  const listener = createNodeListener({
    authenticate: (token) => Promise.resolve(store.authenticate(token)),
  });
  const port = await listen(
    t,
    createServer(async (request, response) => {
      await listener(request, response);
      response.end(); // like h3; ignored if the response has ended
    }),
  );
  const { status, body } = await sendOverWire(port, { headers });
  assertEquals([status, body], [200, BODY]);
});

test("createNodeListener() uses the authority of HTTP/2 rather than Host", async (t) => {
  const listener = createNodeListener(store, {
    explorer: ({ baseUrl }) => ({ status: 200, headers: {}, body: baseUrl }),
  });
  const server = createHttp2Server((request, response) => {
    // The messages of HTTP/2 differ from those of HTTP/1 only in their types.
    Reflect.apply(listener, undefined, [request, response]);
  });
  const port = await listen(t, server);
  const session = connect(`http://127.0.0.1:${port}`);
  t.after(() => session.destroy());
  for (const other of [{}, { host: "other.example" }]) {
    const stream = session.request({
      ":path": "/",
      ":authority": "plants.example",
      ...other,
    });
    let body = "";
    for await (const chunk of stream.setEncoding("utf8")) body += chunk;
    assertEquals(body, "http://plants.example");
  }
});

test("createNodeListener() finds repeated Authorization headers on HTTP/2", () => {
  const authorization = "Bearer t";
  const rawHeaders = ["authorization", "Bearer t", "Authorization", "Bearer u"];
  // Node.js keeps the first value, and its own client does not send two.
  const headers = { ":authority": "h", authorization };
  const message = { headers, rawHeaders, httpVersionMajor: 2, stream: {} };
  const request = new NodeRequest(message as never);
  assertEquals(request.header("authorization"), "Bearer t, Bearer u");
});

test("createNodeListener() closes the stream of a large body on HTTP/2", async (t) => {
  const listener = createNodeListener(store);
  const server = createHttp2Server((request, response) => {
    Reflect.apply(listener, undefined, [request, response]);
  });
  const closed = new Promise((resolve) =>
    server.on("stream", (stream) => stream.on("close", resolve))
  );
  const session = connect(`http://127.0.0.1:${await listen(t, server)}`);
  t.after(() => session.destroy());
  const post = session.request({ ":path": "/plants", ":method": "POST" });
  post.end(Buffer.alloc(200_000));
  post.resume();
  await closed;
});

test("createNodeListener() resolves when it has ended the response", async (t) => {
  const listener = createNodeListener({
    authenticate: (token) => Promise.resolve(store.authenticate(token)),
  });
  const isEnded: boolean[] = [];
  const host = createServer(async (request, response) => {
    await listener(request, response);
    isEnded.push(response.writableEnded);
  });
  const port = await listen(t, host);
  const closing = ["Content-Length: 9", "Connection: close"];
  const received = await exchange(port, GET + GET + withHeaders(...closing));
  assertEquals(parseResponses(received, []).length, 3);
  assertEquals(isEnded, [true, true, true]);
});
