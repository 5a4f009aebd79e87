import { Agent, get, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { openWire } from "../contract/wire.ts";
import { writeFiles } from "../support/files.ts";
import { until } from "../support/until.ts";
import { start, startServer } from "../support/command.ts";

const GET = "GET /plants?limit=1 HTTP/1.1\r\nHost: h\r\n" +
  "Authorization: Bearer demo-curator\r\n\r\n";

/** How long, in milliseconds, a server that ends tells so to those who ask. */
const FAREWELL = 250;

/**
 * Asks again and again on one connection until told that it closes; calls
 * `onBusy` after a few answers.
 */
async function keepAsking(
  url: string,
  pause: number,
  onBusy: () => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isClosing = false;
  let last = performance.now();
  for (let round = 1; !isClosing; round++) {
    const asked = performance.now();
    try {
      const message = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`${url}healthz`, { agent }, resolve).on("error", reject);
      });
      for await (const _ of message);
      isClosing = message.headers.connection === "close";
    } catch (error) {
      // On a slow machine it may be too late.
      if (performance.now() - last < FAREWELL) throw error;
      break;
    }
    last = asked;
    if (round === 3) onBusy();
    await delay(pause);
  }
  agent.destroy();
}

test("serve tells clients that are busy on a connection before it closes it", async (t) => {
  const server = await startServer(t);
  let busy = 0;
  await Promise.all(
    Array.from(
      { length: 40 },
      (_, index) =>
        keepAsking(server.url, index, () => {
          if (++busy === 40) server.kill("SIGTERM");
        }),
    ),
  );
  assertEquals((await server.ended).status, 0);
});

test("serve goes on for --drain-delay, and is not ready meanwhile", async (t) => {
  const server = await startServer(t, ["--drain-delay", "5"]);
  const began = performance.now();
  server.kill("SIGTERM");
  await untilNotReady(server.url);
  const received = await exchangeOnce(server.port);
  assertMatch(received, /^HTTP\/1\.1 200 /);
  assert(!/connection: close/i.test(received));
  assertEquals((await server.ended).status, 0);
  assert(performance.now() - began >= 5_000);
});

/** Waits until a server knows that it is to end. */
async function untilNotReady(url: string): Promise<void> {
  await until(async () => {
    const ready = await fetch(`${url}readyz`);
    await ready.body?.cancel();
    return ready.status === 503;
  });
}

/** The answer to one request on a connection of its own. */
async function exchangeOnce(port: number): Promise<string> {
  const wire = openWire(port);
  wire.write(GET);
  const received = await wire.until(/\}\]$/);
  wire.destroy();
  return received;
}

test("serve ends within --drain, whatever clients do", async (t) => {
  const plants = Array.from({ length: 300_000 }, (_, index) => ({
    name: `Plant number ${index} with a name that is rather long`,
  }));
  const files = await writeFiles(t, { plants });
  const server = await startServer(t, [
    "--plants",
    files.plants,
    "--tokens",
    "data/tokens.json",
    "--drain=0.5",
  ]);
  const silent = openWire(server.port);
  const partial = openWire(server.port);
  partial.write(GET.slice(0, 30));
  const halfOpen = openWire(server.port);
  halfOpen.end();
  const slow = openWire(server.port);
  slow.write(GET.replace("?limit=1", ""));
  await slow.until(/^HTTP/);
  slow.pause();

  const began = performance.now();
  server.kill("SIGTERM");
  const { status, signal } = await server.ended;
  const took = performance.now() - began;
  assertEquals([status, signal], [0, null]);
  // By default it would be 10 seconds.
  assert(took >= 500 && took < 10_000, `${took} ms`);
  for (const wire of [silent, partial, halfOpen, slow]) wire.destroy();
});

test("serve ends at once at a second signal", async (t) => {
  for (const [signal, status] of [["SIGTERM", 143], ["SIGINT", 130]] as const) {
    const server = await startServer(t, ["--drain-delay", "60"]);
    server.kill("SIGTERM");
    await untilNotReady(server.url);
    await delay(150); // two that come at once count as one
    server.kill(signal);
    assertEquals((await server.ended).status, status);
  }
});

for (const kind of ["exception", "rejection"]) {
  test(`serve ends with 1 and one line after an ${kind} that nobody caught`, async (t) => {
    const running = start(
      ["--port", "0", "--log", "off"],
      { CRASH: kind },
      ".",
      "tests/support/crash.ts",
    );
    t.after(() => running.kill("SIGKILL"));
    const { status, stderr } = await running.ended;
    assertEquals(status, 1);
    assertMatch(stderr, /^\S+Z fatal: Error: boom at .*crash\.ts:[^\n]*\n$/);
  });
}
