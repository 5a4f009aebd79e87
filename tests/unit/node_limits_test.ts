import { test } from "node:test";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createMemoryStore } from "../../mod.ts";
import type { Limits } from "../../src/server/limits.ts";
import { serve } from "../../src/server/serve.ts";
import { exchange, openWire, parseResponses } from "../contract/wire.ts";

const store = createMemoryStore({ plants: [], users: {} });

/** Runs `use` with the port of a server of these limits. */
async function serving<T>(
  limits: Limits,
  use: (port: number) => Promise<T>,
): Promise<T> {
  await using server = await serve(store, { port: 0, limits });
  return await use(Number(new URL(server.url).port));
}

const OPEN = "GET /healthz HTTP/1.1\r\nHost: h\r\n";

/** A request of so many bytes, whose answer ends the connection. */
function sized(bytes: number): string {
  const head = `${OPEN}Connection: close\r\nX: `;
  return `${head}${"x".repeat(bytes - head.length - 4)}\r\n\r\n`;
}

/** The status of the one answer. */
async function statusOf(port: number, request: string): Promise<number> {
  const responses = parseResponses(await exchange(port, request), ["GET"]);
  assertEquals(responses.length, 1);
  return responses[0]!.status;
}

test("headerSize bounds the header, 431 above it", async () => {
  await serving({ headerSize: 2_000 }, async (port) => {
    assertEquals(await statusOf(port, sized(1_900)), 200);
    assertEquals(await statusOf(port, sized(2_100)), 431);
  });
  await serving({}, async (port) => {
    assertEquals(await statusOf(port, sized(16_000)), 200);
    assertEquals(await statusOf(port, sized(16_500)), 431);
  });
});

test("no field is dropped for the number of them", async () => {
  const fields = "a:\r\n".repeat(3_000);
  await serving({}, async (port) => {
    assertEquals(
      await statusOf(
        port,
        `GET /plants HTTP/1.1\r\nHost: h\r\n${fields}Host: h\r\n\r\n`,
      ),
      400,
    );
  });
});

test("urlLength bounds the target, 414 above it", async () => {
  const ask = (length: number) =>
    `GET ${
      "/healthz?".padEnd(length, "x")
    } HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`;
  for (const urlLength of [100, undefined]) {
    const bound = urlLength ?? 8_192;
    const limits = urlLength === undefined ? {} : { urlLength };
    await serving(limits, async (port) => {
      assertEquals(await statusOf(port, ask(bound)), 200);
      assertEquals(await statusOf(port, ask(bound + 1)), 414);
    });
  }
});

test("bodySize bounds what is read of a body to keep its connection", async () => {
  for (const limits of [{ bodySize: 100 }, {}]) {
    const { bodySize: bound = 65_536 } = limits as Limits;
    await serving(limits, async (port) => {
      for (
        const [length, end] of [[bound, "keep-alive"], [bound + 1, "close"]]
      ) {
        const wire = openWire(port);
        wire.write(`${OPEN}Content-Length: ${length}\r\n\r\n`);
        const received = await wire.until(/\}$/);
        const [response] = parseResponses(received, ["GET"]);
        assertEquals(response!.status, 200);
        assertEquals(response!.headers.get("connection"), end);
        wire.destroy();
      }
    });
  }
});

/**
 * Asserts that a server of these limits closes a connection after `least`
 * milliseconds or more, and before one of the defaults would, though `more`
 * comes again and again; gives what was received.
 */
async function assertCut(
  limits: Limits,
  [least, byDefault]: readonly [least: number, byDefault: number],
  start: string,
  more = "",
): Promise<string> {
  return await serving(limits, async (port) => {
    const began = performance.now();
    const wire = openWire(port);
    wire.write(start);
    const trickle = setInterval(() => wire.write(more), 100);
    const received = await wire.closed.finally(() => clearInterval(trickle));
    const waited = performance.now() - began;
    assert(waited >= least && waited < byDefault, `${waited} ms`);
    return received;
  });
}

test("headersTimeout ends a request that does not arrive", async () => {
  const limits = { headersTimeout: 500 };
  const slow = "GET /healthz HTTP/1.1\r\nHost: h\r\n";
  const [, received] = await Promise.all([
    assertCut(limits, [500, 10_000], ""),
    assertCut(limits, [500, 10_000], slow, "X: y\r\n"),
  ]);
  assertEquals(parseResponses(received, ["GET"])[0]!.status, 408);
});

test("requestTimeout ends a request whose body does not arrive", async () => {
  const limits = { headersTimeout: 500, requestTimeout: 500 };
  const slow =
    "POST /plants HTTP/1.1\r\nHost: h\r\nContent-Length: 999\r\n\r\n";
  const received = await assertCut(limits, [500, 15_000], slow, "x");
  // It has its answer, which is not asked for twice.
  const answers = parseResponses(received, ["POST"]);
  assertEquals(answers.map(({ status }) => status), [405]);
});

test("keepAliveTimeout ends a connection that waits for its next request", async () => {
  await assertCut({ keepAliveTimeout: 300 }, [300, 5_000], `${OPEN}\r\n`);
});

test("connections bounds how many there are at a time", async () => {
  await serving({ connections: 2 }, async (port) => {
    const wires = [openWire(port), openWire(port)];
    for (const wire of wires) wire.write(`${OPEN}\r\n`);
    for (const wire of wires) await wire.until(/\}$/);
    const closing = `${OPEN}Connection: close\r\n\r\n`;
    assertEquals(await exchange(port, closing), "");
    wires[0]!.destroy();
    let received = "";
    // The server notices a little later that it has gone.
    for (let time = 0; time < 1_000 && received === ""; time++) {
      received = await exchange(port, closing);
    }
    assertEquals(parseResponses(received, ["GET"])[0]?.status, 200);
    wires[1]!.destroy();
  });
});

test("serve() refuses limits that can't be used", async () => {
  for (
    const limits of [
      { urlLength: 1.5 },
      { urlLenght: 5 } as Limits,
      { headersTimeout: 9, requestTimeout: 8 },
    ]
  ) {
    await assertRejects(() => serve(store, { port: 0, limits }), RangeError);
  }
});
