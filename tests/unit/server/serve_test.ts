import { test } from "node:test";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createMemoryStore, withBehavior } from "../../../mod.ts";
import { openapi } from "../../../src/openapi/openapi.ts";
import { serve } from "../../../src/server/serve.ts";
import { describeOutcome, DIFFERENCES } from "../../contract/differences.ts";
import { openMemory } from "../../contract/setups.ts";
import { exchange, openWire, parseResponses } from "../../contract/wire.ts";
import {
  BODY,
  CLOSING,
  createSlowStore,
  GET,
  openIdleWires,
  portOf,
  SLOW,
  users,
} from "../../support/server.ts";

const store = createSlowStore();

/** The position of this runtime in the outcomes of a difference. */
const RUNTIME = "Deno" in globalThis ? 1 : "Bun" in globalThis ? 2 : 0;
const DENO = 1, BUN = 2;

test("serve() responds to unusual requests as recorded for this runtime", async () => {
  // Bun rejects some requests only while a list takes time.
  const slow = withBehavior(openMemory(), {}, { delay: 20 });
  await using server = await serve(slow, { port: 0 });
  for (const { name, bytes, outcomes } of DIFFERENCES) {
    const outcome = await describeOutcome(portOf(server), bytes);
    assertEquals(outcome, outcomes[RUNTIME], name);
  }
});

// On Bun, the Host header replaces the host of the target.
const TARGET = RUNTIME === BUN ? "http://h" : "http://b.example";

for (
  const [target, host, url] of [
    ["", undefined, RUNTIME === DENO ? "http://localhost" : "/"],
    ["", "b:99999", "/"], // a valid Host, but not a valid URL
    ["http://u:p@b.example:80", "h", TARGET],
  ] as const
) {
  test(`serve() shows ${url} in the OpenAPI document for "${target}" with Host ${host}`, async () => {
    await using server = await serve(store, { port: 0, openapi });
    const version = host === undefined ? "1.0" : `1.1\r\nHost: ${host}`;
    const request = `GET ${target}/openapi.json HTTP/${version}`;
    const close = `${request}\r\nConnection: close\r\n\r\n`;
    const [, body] = (await exchange(portOf(server), close)).split("\r\n\r\n");
    const shown: string = JSON.parse(body!).servers[0].url;
    assertEquals(shown.replace(`:${portOf(server)}`, ""), url);
  });
}

test("a health check on a new connection does not wait for many lists", async () => {
  const plants = Array(30_000).fill({ name: "x".repeat(90) });
  await using server = await serve(createMemoryStore({ plants, users }), {
    port: 0,
  });
  let left = 40;
  const lists = Array.from({ length: left }, async () => {
    const wire = openWire(portOf(server));
    wire.write(CLOSING);
    const [response] = parseResponses(await wire.closed, ["GET"]);
    assert(response!.body.endsWith("}]"));
    left--;
  });
  await exchange(portOf(server), CLOSING.replace("/plants", "/healthz"));
  assert(left > 20, `${left} lists`);
  await Promise.all(lists);
});

test("HEAD of a long list has no Content-Length, because it is not known", async () => {
  const plants = Array(2_000).fill({ name: "x".repeat(90) });
  await using server = await serve(createMemoryStore({ plants, users }), {
    port: 0,
  });
  const response = await fetch(new URL("plants", server.url), {
    method: "HEAD",
    headers: { authorization: "Bearer t" },
  });
  assertEquals(response.headers.get("content-length"), null);
  assertMatch(response.headers.get("etag")!, /^"/);
});

test("Server.close() finishes in-flight requests and closes other connections", async () => {
  const server = await serve(store, { port: 0 });
  const { reached, release } = store.hold();
  const [silent, partial, idle] = await openIdleWires(portOf(server));
  const slow = openWire(portOf(server));
  slow.write(SLOW);
  await reached;
  const shutdownTimeout = 2 ** 31 - 1; // the maximum
  const closed = [server.close({ shutdownTimeout }), server.close()];
  // On Bun, a connection that has sent no complete request stays open until the deadline.
  for (const wire of [silent!, partial!]) {
    if (RUNTIME === BUN) wire.destroy();
    else assertEquals(await wire.closed, "");
  }
  await idle!.closed;
  release();
  const [response] = parseResponses(await slow.closed, ["GET"]);
  assertEquals(response?.body, BODY);
  await Promise.all(closed);
  assertEquals(await exchange(portOf(server), GET), "");
});

test("Server.close() waits for the delay, then resolves at the deadline", async () => {
  const server = await serve(store, { port: 0 });
  const { reached, release } = store.hold();
  const slow = openWire(portOf(server));
  slow.write(SLOW);
  await reached;
  const began = performance.now();
  const longer = server.close({ shutdownDelay: 500 });
  await server.close({ shutdownDelay: 500, shutdownTimeout: 100 });
  const duration = performance.now() - began;
  assert(duration >= 599 && duration < 10_000, `${duration} ms`);
  if (RUNTIME !== DENO) assertEquals(await slow.closed, "");
  // Deno cannot close the connection, which closes when the process exits.
  release();
  const [response] = parseResponses(await slow.closed, ["GET"]);
  if (RUNTIME === DENO) assertEquals(response?.body, BODY);
  await longer;
});

test("serve() rejects an empty host", async () => {
  await assertRejects(
    () => serve(store, { host: "", port: 0 }),
    RangeError,
    "host",
  );
});

test("Server.close() rejects invalid times, and can be an event listener", async () => {
  await using server = await serve(store, { port: 0 });
  for (const name of ["shutdownTimeout", "shutdownDelay"]) {
    for (const value of [Infinity, 2 ** 31, -1, 0.5, "5"]) {
      await assertRejects(
        () => server.close({ [name]: value }),
        RangeError,
        `${name} must be an integer from 0 to 2147483647, got`,
      );
    }
  }
  assertMatch(await exchange(portOf(server), CLOSING), /^HTTP\/1\.1 200 /);
  const close = server.close as (signal: string) => Promise<void>;
  await close("SIGTERM");
  await assertRejects(() => fetch(server.url), Error);
});
