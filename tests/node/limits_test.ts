import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
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

test("headersTimeout and requestTimeout end a request that does not arrive", async () => {
  const limits = { headersTimeout: 500, requestTimeout: 2_500 };
  await serving(limits, async (port) => {
    const began = performance.now();
    const silent = openWire(port);
    const trickled = openWire(port);
    trickled.write("GET /healthz HTTP/1.1\r\nHost: h\r\n");
    const trickle = setInterval(() => trickled.write("X: y\r\n"), 100);
    const bodiless = openWire(port);
    bodiless.write(
      `POST /plants HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n`,
    );

    const received = await trickled.closed;
    clearInterval(trickle);
    assertEquals(parseResponses(received, ["GET"])[0]!.status, 408);
    await silent.closed;
    const cut = performance.now() - began;
    assert(cut >= 500 && cut < 3_000, `${cut} ms`);

    // It has its answer, which is not asked for twice.
    const answers = parseResponses(await bodiless.closed, ["POST"]);
    assertEquals(answers.map(({ status }) => status), [405]);
    const ended = performance.now() - began;
    assert(ended >= 2_500 && ended < 5_500, `${ended} ms`);
  });
});

test("keepAliveTimeout ends a connection that waits for its next request", async () => {
  await serving({ keepAliveTimeout: 300 }, async (port) => {
    const wire = openWire(port);
    wire.write(`${OPEN}\r\n`);
    await wire.until(/\}$/);
    const began = performance.now();
    await wire.closed;
    const waited = performance.now() - began;
    assert(waited >= 250 && waited < 2_500, `${waited} ms`);
  });
});

test("connections bounds how many there are at a time", async () => {
  await serving({ connections: 2 }, async (port) => {
    const wires = [openWire(port), openWire(port)];
    for (const wire of wires) wire.write(`${OPEN}\r\n`);
    for (const wire of wires) await wire.until(/\}$/);
    const extra = openWire(port);
    extra.write(`${OPEN}\r\n`);
    assertEquals(await extra.closed, "");
    wires[0]!.destroy();
    await delay(100);
    assertEquals(await statusOf(port, `${OPEN}Connection: close\r\n\r\n`), 200);
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
