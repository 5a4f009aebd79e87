import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import fc from "../support/fast_check.ts";
import { openapi } from "../../src/openapi/openapi.ts";
import { serve, type Server } from "../../src/server/serve.ts";
import { describeOutcome, DIFFERENCES } from "../contract/differences.ts";
import { openMemory } from "../contract/setups.ts";
import {
  exchange,
  openWire,
  parseResponses,
  sendOverWire,
} from "../contract/wire.ts";
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
import {
  behavior,
  checkBody,
  createUntrusted,
  TARGETS,
} from "../support/untrusted.ts";

const store = createSlowStore();

/** The position of this runtime in the table of differences. */
const RUNTIME = "Deno" in globalThis ? 1 : "Bun" in globalThis ? 2 : 0;
const DENO = 1, BUN = 2;

describe("serve() responds as documented for this runtime to", () => {
  let server: Server;
  before(async () => {
    server = await serve(openMemory(), { port: 0, delay: 20 });
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

test("serve() shows the same valid origin in the OpenAPI document on every runtime", async () => {
  await using server = await serve(store, { port: 0, openapi });
  for (
    const [target, host, url] of [
      ["/openapi.json", "a:99999", "/"],
      ["/openapi.json", "B.example:80", "http://b.example"],
      // On Bun, the Host header replaces the host of the target.
      [
        "http://u:p@b.example/openapi.json",
        "h",
        RUNTIME === BUN ? "http://h" : "http://b.example",
      ],
    ] as const
  ) {
    const headers = [["Host", host]] as const;
    const { body } = await sendOverWire(portOf(server), { target, headers });
    assertEquals(JSON.parse(body).servers[0].url, url);
  }
});

test("serve() reports an unknown host with the same code on every runtime", async () => {
  const options = { host: "example.invalid", port: 0 };
  const error = await assertRejects(() => serve(store, options), Error);
  assertEquals((error as NodeJS.ErrnoException).code, "ENOTFOUND");
});

test("serve() reports a port that another server uses", async () => {
  await using server = await serve(store, { port: 0 });
  const options = { port: portOf(server) };
  const error = await assertRejects(() => serve(store, options), Error);
  assertEquals((error as NodeJS.ErrnoException).code, "EADDRINUSE");
});

// A connection that has sent no complete request stays open until the deadline on Bun.
test(
  "Server.close() finishes in-flight requests and closes other connections",
  {
    skip: RUNTIME === BUN,
  },
  async () => {
    const server = await serve(store, { port: 0 });
    const { reached, release } = store.hold();
    const [silent, partial, idle] = await openIdleWires(portOf(server));
    const slow = openWire(portOf(server));
    slow.write(SLOW);
    await reached;

    const closed = Promise.all([server.close(), server.close()]);
    assertEquals(await silent!.closed, "");
    assertEquals(await partial!.closed, "");
    await idle!.closed;
    release();
    const [response] = parseResponses(await slow.closed, ["GET"]);
    assertEquals(response?.body, BODY);
    assertEquals(response?.headers.get("connection"), "close");
    await closed;
    assertEquals(await exchange(portOf(server), GET), "");
  },
);

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

for (const name of ["deadline", "delay"]) {
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

test("Server.close() finishes in-flight requests with the maximum deadline", async () => {
  const server = await serve(store, { port: 0 });
  const { reached, release } = store.hold();
  const slow = openWire(portOf(server));
  slow.write(SLOW);
  await reached;
  const closed = server.close({ deadline: 2 ** 31 - 1 });
  await sleep(20);
  release();
  await closed;
  const [response] = parseResponses(await slow.closed, ["GET"]);
  assertEquals(response?.body, BODY);
});

test("Server.close() waits for the delay, then resolves at the deadline", async () => {
  const server = await serve(store, { port: 0 });
  const { reached, release } = store.hold();
  const slow = openWire(portOf(server));
  slow.write(SLOW);
  await reached;
  const began = performance.now();
  const closed = server.close({ delay: 500, deadline: 100 });
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

test("serve() survives a store or a resource that misbehaves", async (t) => {
  const untrusted = createUntrusted();
  const { store, options } = untrusted;
  const server = await serve(store, { ...options, port: 0 });
  t.after(() => server.close());
  const method = fc.constantFrom("GET", "HEAD");
  const headers = [["Authorization", "Bearer t"]] as const;
  const property = fc.asyncProperty(
    behavior,
    method,
    async (behavior, method) => {
      untrusted.behavior = behavior;
      for (const target of TARGETS) {
        const request = { method, target, headers };
        const response = await sendOverWire(portOf(server), request);
        if (method === "HEAD") continue;
        checkBody(target, response.status, response.body);
      }
    },
  );
  await fc.assert(property, { numRuns: 100 });
  const { status } = await fetch(new URL("healthz", server.url));
  assertEquals(status, 200);
});
