import {
  createServer,
  type IncomingMessage,
  type RequestListener,
} from "node:http";
import { connect, createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { assertEquals } from "@std/assert";
import { createMemoryStore } from "plant-store";
import { createNodeListener } from "plant-store/node";
import { exchange, parseResponses, sendOverWire } from "../contract/wire.ts";
import { createGate } from "../support/gate.ts";

const store = createMemoryStore({
  plants: [{ name: "a" }],
  users: { u: { plants: "all", tokens: ["t"] } },
});
const headers = [["Authorization", "Bearer t"]] as const;

/** Serves a listener on a plain `node:http` server of the host's own. */
async function host(
  t: TestContext,
  listener: RequestListener,
): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}

test("createNodeListener() is a listener of node:http", async (t) => {
  const port = await host(t, createNodeListener(store));
  const { status, body } = await sendOverWire(port, { headers });
  assertEquals([status, body], [200, '[{"name":"a"}]']);
});

test("createNodeListener() goes by originalUrl, where a host has taken a prefix off", async (t) => {
  const listener = createNodeListener(store, { basePath: "/shop" });
  const port = await host(t, (request, response) => {
    const { url = "" } = request;
    Object.assign(request as IncomingMessage & { originalUrl?: string }, {
      originalUrl: url,
      url: url.replace("/shop", ""),
    });
    listener(request, response);
  });
  assertEquals(
    (await sendOverWire(port, { target: "/shop/plants", headers })).status,
    200,
  );
  assertEquals(
    (await sendOverWire(port, { target: "/plants", headers })).status,
    404,
  );
});

test("createNodeListener() takes no notice of what else a host hands on", async (t) => {
  const listener = createNodeListener(store);
  const port = await host(t, (...args) => {
    Reflect.apply(listener, undefined, [...args, () => {}]);
  });
  assertEquals((await sendOverWire(port, { headers })).status, 200);
});

test("createNodeListener() keeps fields that a host has set", async (t) => {
  const listener = createNodeListener(store);
  const port = await host(t, (request, response) => {
    response.setHeader("X-Powered-By", "host");
    listener(request, response);
  });
  const response = await sendOverWire(port, { headers });
  assertEquals(response.headers.get("x-powered-by"), "host");
});

test("createNodeListener() looks at every Authorization and Host itself", async (t) => {
  const port = await host(t, createNodeListener(store));
  const twice = [...headers, ["Authorization", "Bearer other"]] as const;
  assertEquals((await sendOverWire(port, { headers: twice })).status, 401);
  const received = await exchange(
    port,
    "GET /plants HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
  );
  assertEquals(parseResponses(received, ["GET"])[0]?.status, 400);
});

test("createNodeListener() keeps still when the host has answered first", async (t) => {
  const gate = createGate();
  const slow = createNodeListener({
    async authenticate() {
      await gate.opened;
      return undefined;
    },
  });
  let done: void | Promise<void> = undefined;
  const port = await host(t, (request, response) => {
    done = slow(request, response);
    response.end("timeout");
  });
  const response = await fetch(`http://127.0.0.1:${port}/plants`, {
    headers: { authorization: "Bearer t" },
  });
  assertEquals(await response.text(), "timeout");
  gate.open();
  await done;
});

test("createNodeListener() promises what is not at hand, for hosts that wait for it", async (t) => {
  const listener = createNodeListener({
    authenticate: (token) => Promise.resolve(store.authenticate(token)),
  });
  const port = await host(t, async (request, response) => {
    await listener(request, response);
    response.end(); // as h3 does: nothing where the response has ended
  });
  const { status, body } = await sendOverWire(port, { headers });
  assertEquals([status, body], [200, '[{"name":"a"}]']);
});

test("createNodeListener() takes the authority of HTTP/2 for the Host", async (t) => {
  const listener = createNodeListener(store, {
    page: ({ baseUrl }) => ({ status: 200, headers: {}, body: baseUrl }),
  });
  const server = createHttp2Server((request, response) => {
    // The messages of HTTP/2 are like those of HTTP/1, but for their types.
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

test("createNodeListener() answers a message without raw headers", async (t) => {
  const listener = createNodeListener(store);
  const port = await host(t, (request, response) => {
    Object.defineProperty(request, "rawHeaders", { value: undefined });
    listener(request, response);
  });
  assertEquals((await sendOverWire(port, { headers })).status, 200);
});
