import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { openapi } from "../../src/openapi/openapi.ts";
import { serve, type Server } from "../../src/server/serve.ts";
import { describeOutcome, DIFFERENCES } from "../contract/differences.ts";
import { withBehavior } from "../../mod.ts";
import { openMemory } from "../contract/setups.ts";
import { exchange, openWire, parseResponses } from "../contract/wire.ts";
import {
  BODY,
  CLOSING,
  createSlowStore,
  GET,
  openIdleWires,
  portOf,
  SLOW,
  withHeaders,
} from "../support/server.ts";

const store = createSlowStore();

/** The position of this runtime in the table of differences. */
const RUNTIME = "Deno" in globalThis ? 1 : "Bun" in globalThis ? 2 : 0;
const DENO = 1, BUN = 2;

describe("serve() responds as documented for this runtime to", () => {
  let server: Server;
  before(async () => {
    server = await serve(withBehavior(openMemory(), {}, { delay: 20 }), {
      port: 0,
    });
  });
  after(() => server.close());
  for (const { name, bytes, outcomes } of DIFFERENCES) {
    test(name, async () => {
      const outcome = await describeOutcome(portOf(server), bytes);
      assertEquals(outcome, outcomes[RUNTIME]);
    });
  }
});

test("close() can be an event listener", async () => {
  const server = await serve(store, { port: 0 });
  const close = server.close as (signal: string) => Promise<void>;
  await close("SIGTERM");
  await assertRejects(() => fetch(server.url), Error);
});

test("serve() rejects a body above 128 MiB on Bun", async () => {
  await using server = await serve(store, { port: 0 });
  const wire = openWire(portOf(server));
  const length = `Content-Length: ${2 ** 27 + 1}`;
  wire.write(withHeaders(length).replace("GET", "POST"));
  const received = await wire.until(/\r\n\r\n/);
  wire.destroy();
  assertEquals(received.slice(9, 12), RUNTIME === BUN ? "413" : "405");
});

// On Bun, the Host header replaces the host of the target.
const ABSOLUTE = RUNTIME === BUN ? "http://h" : "http://b.example";

for (
  const [target, host, url] of [
    ["", undefined, RUNTIME === DENO ? "http://localhost" : "/"],
    ["", "b:8", "http://b:8"],
    ["", "b:", "http://b"],
    ["", "B.example:80", "http://b.example"],
    ["", "b:99999", "/"], // a valid Host, but not a valid URL
    ["http://b.example:80", "h", ABSOLUTE],
    ["http://u:p@b.example", "h", ABSOLUTE],
    ["https://b.example", "h", ABSOLUTE.replace("http://b", "https://b")],
    [`http://${"a".repeat(256)}`, "h", RUNTIME === BUN ? "http://h" : "/"],
    ["http://[zz]", "h", RUNTIME === BUN ? "http://h" : "/"],
  ] as const
) {
  test(`serve() shows ${url} in the OpenAPI document for "${target}" with Host ${host}`, async () => {
    await using server = await serve(store, { port: 0, openapi });
    const version = host === undefined ? "1.0" : `1.1\r\nHost: ${host}`;
    const request = `GET ${target}/openapi.json HTTP/${version}`;
    const received = await exchange(
      portOf(server),
      `${request}\r\nConnection: close\r\n\r\n`,
    );
    const [, body] = received.split("\r\n\r\n");
    const shown: string = JSON.parse(body!).servers[0].url;
    assertEquals(
      shown.replace(`localhost:${portOf(server)}`, "localhost"),
      url,
    );
  });
}

test("Server.close() finishes in-flight requests and closes other connections", async () => {
  const server = await serve(store, { port: 0 });
  const { reached, release } = store.hold();
  const wires = await openIdleWires(portOf(server));
  // On Bun, a connection that has sent no complete request stays open until the deadline.
  const [idle, ...incomplete] = wires.toReversed();
  if (RUNTIME === BUN) { for (const wire of incomplete) wire.destroy(); }
  const slow = openWire(portOf(server));
  slow.write(SLOW);
  await reached;

  const shutdownTimeout = 2 ** 31 - 1; // the maximum
  const closed = Promise.all([
    server.close({ shutdownTimeout }),
    server.close(),
  ]);
  for (const wire of incomplete) assertEquals(await wire.closed, "");
  await idle!.closed;
  release();
  const [response] = parseResponses(await slow.closed, ["GET"]);
  assertEquals(response?.body, BODY);
  if (RUNTIME !== BUN) {
    assertEquals(response?.headers.get("connection"), "close");
  }
  await closed;
  assertEquals(await exchange(portOf(server), GET), "");
});

test("Server.close() announces that it closes a connection", {
  skip: RUNTIME === BUN,
}, async () => {
  let received = "";
  // Other processes can delay a request for longer than the connection is open.
  for (let attempt = 0; attempt < 20; attempt++) {
    const server = await serve(store, { port: 0 });
    const [, , idle] = await openIdleWires(portOf(server));
    const closed = server.close();
    await sleep(100);
    idle!.write(GET);
    received = await idle!.closed;
    await closed;
    if (received.includes(BODY)) break;
  }
  const [, response] = parseResponses(received, ["GET", "GET"]);
  assertEquals(response?.headers.get("connection"), "close");
});

for (const name of ["shutdownTimeout", "shutdownDelay"]) {
  test(`Server.close() rejects an invalid ${name} and keeps running`, async () => {
    await using server = await serve(store, { port: 0 });
    for (const value of [Infinity, 2 ** 31, 1e10, NaN, -1, 0.5, "5", null]) {
      await assertRejects(
        () => server.close({ [name]: value }),
        RangeError,
        `${name} must be an integer from 0 to 2147483647, got`,
      );
    }
    const { status } = await fetch(new URL("readyz", server.url));
    assertEquals(status, 200);
  });
}

test("Server.close() waits for the delay, then resolves at the deadline", async () => {
  const server = await serve(store, { port: 0 });
  const { reached, release } = store.hold();
  const slow = openWire(portOf(server));
  slow.write(SLOW);
  await reached;
  const began = performance.now();
  const closed = server.close({ shutdownDelay: 500, shutdownTimeout: 100 });
  const ready = await exchange(
    portOf(server),
    CLOSING.replace("plants", "readyz"),
  );
  assertMatch(ready, /^HTTP\/1\.1 503 /);
  assertMatch(await exchange(portOf(server), CLOSING), /^HTTP\/1\.1 200 /);
  await closed;
  const duration = performance.now() - began;
  assertEquals(duration >= 599 && duration < 10_000, true, `${duration} ms`);
  if (RUNTIME !== DENO) assertEquals(await slow.closed, "");
  // Deno cannot close the connection, which closes when the process exits.
  release();
  const [response] = parseResponses(await slow.closed, ["GET"]);
  if (RUNTIME === DENO) assertEquals(response?.body, BODY);
});
