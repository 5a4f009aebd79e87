import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { exchange, parseResponses } from "../../contract/wire.ts";
import type { startServer } from "../../support/command.ts";
import { until } from "../../support/until.ts";

/** Attacks on connections that it opens; a user sends a request at each `yield`. */
export type Attack = (open: () => Socket) => Iterable<void>;

/** The limit for memory growth in megabytes; V8 reserves some memory. */
const PEAK = 150;

/** The number of turns to time. */
const TURNS = 5;

/** Creates a request for a target. */
export function get(target: string, fields = ""): string {
  return `GET ${target} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer demo-curator\r\n${fields}\r\n`;
}

/**
 * Asserts that users get complete responses during an attack, that they wait less
 * than a turn on average, and that the server closes every connection afterward.
 */
export async function assertWithstands(
  t: TestContext,
  { port, process: { pid } }: Awaited<ReturnType<typeof startServer>>,
  attack: Attack,
): Promise<void> {
  const countDescriptors = () => readdirSync(`/proc/${pid}/fd`).length;
  const idle = countDescriptors();
  const turnBefore = await timeTurn(port);
  const before = measureMemory(pid!);
  const sockets: Socket[] = [];
  function open(): Socket {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("error", () => {}); // the server may reset it
    sockets.push(socket);
    return socket;
  }

  let waited = 0, requests = 0, peak = 0;
  try {
    for (const _ of attack(open)) {
      waited += await timeRequest(port);
      requests++;
      peak = Math.max(peak, measureMemory(pid!) - before);
    }
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  // Other processes may slow down the machine at any time.
  const turn = Math.max(turnBefore, await timeTurn(port));
  const mean = waited / requests;
  const figures = `${requests} requests, ${mean.toFixed(1)} ms on average; ` +
    `a turn ${turn.toFixed(1)} ms; +${peak.toFixed(0)} MB`;
  t.diagnostic(figures);
  assert(mean < turn && peak < PEAK, figures);
  await until(() => countDescriptors() <= idle);
}

/** Returns the resident memory of a process in megabytes. */
function measureMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
}

/** Returns how many milliseconds a user waits for a response. */
async function timeRequest(port: number): Promise<number> {
  const request = get("/plants?limit=10", "Connection: close\r\n");
  const start = performance.now();
  const received = await exchange(port, request);
  const waited = performance.now() - start;
  const [response] = parseResponses(received, ["GET"]);
  assertEquals(response?.status, 200);
  return waited;
}

/**
 * Returns how many milliseconds a turn takes on this machine: the time for 800
 * pipelined requests, about as many as Node reads from a connection at once. No
 * connection sends more of them than can wait.
 */
async function timeTurn(port: number): Promise<number> {
  const request = get("/plants?limit=1");
  const last = get("/plants?limit=1", "Connection: close\r\n");
  const part = request.repeat(10) + last;
  let start = 0;
  for (let turn = -TURNS; turn < TURNS; turn++) {
    if (turn === 0) start = performance.now(); // the code is compiled by now
    for (let count = 0; count < 73; count++) await exchange(port, part);
  }
  return (performance.now() - start) / TURNS;
}
