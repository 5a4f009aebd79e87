import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createMemoryStore } from "../../mod.ts";
import { serve } from "../../src/server/serve.ts";
import { carryOut, type Target } from "./exchange.ts";
import type { WireRequest } from "./head.ts";
import type { Outcome } from "./model.ts";
import { TagBook } from "./state.ts";

const request: WireRequest = {
  kind: "test",
  start: "GET /healthz HTTP/1.1",
  lines: ["Host: h"],
  body: "",
};
const outcome: Outcome = { status: 200, fields: {}, end: "open" };

/** Sends two requests in turn, and stops the process for a while between them. */
async function sendTwo(port: number, stop: number) {
  let idleClosed = 0;
  const target: Target = {
    port,
    isNode: true,
    tags: new TagBook(),
    judge: () => [outcome],
    count() {
      const end = performance.now() + stop;
      while (performance.now() < end);
    },
    idleClosed: () => idleClosed++,
  };
  const violation = await carryOut(
    { requests: [request, request], delivery: "in turn", tail: "" },
    target,
  );
  return { idleClosed, problem: violation?.problem };
}

test("a server that could not read for longer than its keep-alive timeout closes, and the request is lost", async (t) => {
  const store = createMemoryStore({ plants: [], users: {} });
  const server = await serve(store, { port: 0 });
  t.after(() => server.close());
  const port = Number(new URL(server.url).port);
  // The timers of a process that was stopped come before what it reads.
  const found = await sendTwo(port, 6_500);
  assertEquals(found, { idleClosed: 1, problem: undefined });
});

test("a connection that closes without a response any earlier is a violation", async (t) => {
  const server = createServer((socket) => {
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      socket.once("data", () => socket.end());
    });
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const found = await sendTwo((server.address() as AddressInfo).port, 0);
  assertEquals(found, {
    idleClosed: 0,
    problem: "the connection was closed without an answer",
  });
});
