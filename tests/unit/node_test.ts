import {
  createServer,
  type IncomingMessage,
  type RequestListener,
} from "node:http";
import { connect, createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { assertEquals } from "@std/assert";
import { createNodeListener } from "plant-store/node";
import { exchange, parseResponses, sendOverWire } from "../contract/wire.ts";
import { BODY, createSlowStore, store } from "../support/server.ts";

const headers = [["Authorization", "Bearer t"]] as const;

/** Starts a `node:http` server with a listener and returns its port. */
async function listen(
  t: TestContext,
  listener: RequestListener,
): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}

test("createNodeListener() returns a listener for node:http", async (t) => {
  const port = await listen(t, createNodeListener(store));
  const { status, body } = await sendOverWire(port, { headers });
  assertEquals([status, body], [200, BODY]);
});

test("createNodeListener() uses originalUrl if the host has removed a prefix", async (t) => {
  const listener = createNodeListener(store, { basePath: "/shop" });
  const port = await listen(t, (request, response) => {
    const { url = "" } = request;
    Object.assign(request as IncomingMessage & { originalUrl?: string }, {
      originalUrl: url,
      url: url.replace("/shop", ""),
    });
    listener(request, response);
  });
  const statusOf = async (target: string) =>
    (await sendOverWire(port, { target, headers })).status;
  assertEquals(await statusOf("/shop/plants"), 200);
  assertEquals(await statusOf("/plants"), 404);
});

test("createNodeListener() ignores further arguments", async (t) => {
  const listener = createNodeListener(store);
  const port = await listen(t, (...args) => {
    Reflect.apply(listener, undefined, [...args, () => {}]);
  });
  assertEquals((await sendOverWire(port, { headers })).status, 200);
});

test("createNodeListener() keeps headers that the host has set", async (t) => {
  const listener = createNodeListener(store);
  const port = await listen(t, (request, response) => {
    response.setHeader("X-Powered-By", "host");
    listener(request, response);
  });
  const response = await sendOverWire(port, { headers });
  assertEquals(response.headers.get("x-powered-by"), "host");
});

test("createNodeListener() checks repeated Authorization and Host headers", async (t) => {
  const port = await listen(t, createNodeListener(store));
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
  const port = await listen(t, (request, response) => {
    done = slow(request, response);
    response.end("timeout");
  });
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
  const port = await listen(t, async (request, response) => {
    await listener(request, response);
    response.end(); // like h3; ignored if the response has ended
  });
  const { status, body } = await sendOverWire(port, { headers });
  assertEquals([status, body], [200, BODY]);
});

test("createNodeListener() uses the authority of HTTP/2 as the Host", async (t) => {
  const listener = createNodeListener(store, {
    page: ({ baseUrl }) => ({ status: 200, headers: {}, body: baseUrl }),
  });
  const server = createHttp2Server((request, response) => {
    // The messages of HTTP/2 differ from those of HTTP/1 only in their types.
    Reflect.apply(listener, undefined, [request, response]);
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const session = connect(`http://127.0.0.1:${port}`);
  const stream = session.request({ ":path": "/" });
  let body = "";
  for await (const chunk of stream.setEncoding("utf8")) body += chunk;
  session.close();
  assertEquals(body, `http://127.0.0.1:${port}`);
});

test("createNodeListener() accepts a message without raw headers", async (t) => {
  const listener = createNodeListener(store);
  const port = await listen(t, (request, response) => {
    Object.defineProperty(request, "rawHeaders", { value: undefined });
    listener(request, response);
  });
  assertEquals((await sendOverWire(port, { headers })).status, 200);
});
