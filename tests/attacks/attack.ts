import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { exchange, parseResponses } from "../contract/wire.ts";
import { until, type Victim } from "./victim.ts";

/** An attack: opens connections, and lets a user ask at each `yield`. */
export type Attack = (open: () => Socket) => Iterable<void>;

/** How many more megabytes the server may use during an attack; V8 keeps some to grow into. */
const PEAK = 150;

/** How many turns are timed. */
const TURNS = 10;

/** A request that is answered with plants. */
export function get(target: string, fields = ""): string {
  return `GET ${target} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer demo-curator\r\n${fields}\r\n`;
}

/**
 * Asserts that users get whole responses during an attack, that they wait for
 * less than a turn on average, and that nothing is left of the attack.
 */
export async function assertWithstands(
  t: TestContext,
  victim: Victim,
  attack: Attack,
  target = "/plants",
): Promise<void> {
  const idle = victim.descriptors();
  const turn = await timeTurn(victim.port);
  const before = victim.memory();
  const sockets: Socket[] = [];
  function open(): Socket {
    const socket = connect({ port: victim.port, host: "127.0.0.1" });
    socket.on("error", () => {}); // the server may reset it
    sockets.push(socket);
    return socket;
  }

  let waited = 0, asked = 0, peak = 0;
  try {
    for (const _ of attack(open)) {
      waited += await timeRequest(victim.port, target);
      asked++;
      peak = Math.max(peak, victim.memory() - before);
    }
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const figures = `${asked} requests took ${(waited / asked).toFixed(1)} ms, ` +
    `a turn ${turn.toFixed(1)} ms; ${peak.toFixed(0)} MB more`;
  t.diagnostic(figures);
  assert(waited / asked < turn, figures);
  assert(peak < PEAK, figures);
  assert(await until(() => victim.descriptors() <= idle), "descriptors");
}

/** Gives the milliseconds that a user waits for a whole response, on a new connection. */
async function timeRequest(port: number, target: string): Promise<number> {
  const request = get(target, "Connection: close\r\n");
  const start = performance.now();
  const received = await exchange(port, request);
  const waited = performance.now() - start;
  const [response] = parseResponses(received, ["GET"]);
  assertEquals(response?.status, 200);
  return waited;
}

/**
 * Gives the milliseconds that this machine takes for a turn: the 800 requests
 * that Node reads of a connection at once, in pieces that the server takes
 * without a pause.
 */
async function timeTurn(port: number): Promise<number> {
  const request = get("/plants?limit=1");
  const last = get("/plants?limit=1", "Connection: close\r\n");
  const piece = request.repeat(99) + last;
  let start = 0;
  for (let turn = -TURNS; turn < TURNS; turn++) {
    if (turn === 0) start = performance.now(); // all is compiled by now
    for (let count = 0; count < 8; count++) await exchange(port, piece);
  }
  return (performance.now() - start) / TURNS;
}
