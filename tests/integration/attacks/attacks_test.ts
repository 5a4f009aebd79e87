import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assert, assertEquals } from "@std/assert";
import { exchange } from "../../contract/wire.ts";
import { startServer } from "../../support/command.ts";
import { writeFiles } from "../../support/files.ts";

// What clients cannot do to each other, as docs/operating.md promises.

/** How long another client waits, in milliseconds, and how much memory grows, in MB. */
const MAX_WAIT = 400, MAX_GROWTH = 150;

const HEALTH = "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";

/** Creates a request of a user. */
const get = (target: string, token: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, "Host: h", `Authorization: Bearer ${token}`]
    .concat(headers, "\r\n").join("\r\n");

const files = await writeFiles({ after }, {
  // Its list has 6 MB.
  plants: Array.from({ length: 100_000 }, (_, index) => ({
    name: `Plant number ${index} of a list that is rather long`,
    tag: `tag ${index % 50}`,
  })),
  tokens: {
    all: { plants: "all", tokens: ["all"] },
    most: {
      plants: { tags: Array.from({ length: 49 }, (_, tag) => `tag ${tag}`) },
      tokens: ["most"],
    },
  },
});
const { port, process: { pid } } = await startServer({ after }, [
  ...["--plants", files.plants, "--tokens", files.tokens],
]);

function open(to: number): Socket {
  const socket = connect(to, "127.0.0.1");
  return socket.on("error", () => {}); // the server may reset it
}

/** Returns the resident memory of the server in MB. */
function readMemory(): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1e3;
}

/** Returns the CPU time of the server in milliseconds. */
function readCpu(): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")
    .slice(13).map(Number);
  return (user! + system!) * 10;
}

/** Checks that another client is served at once during an attack. */
async function assertServes(rounds: number): Promise<void> {
  const before = readMemory();
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    assert((await exchange(port, HEALTH)).startsWith("HTTP/1.1 200 "));
    const duration = performance.now() - began;
    assert(duration < MAX_WAIT, `another client waited for ${duration} ms`);
    const growth = readMemory() - before;
    assert(growth < MAX_GROWTH, `memory grew by ${growth} MB`);
    await sleep(20);
  }
}

for (
  const [count, method, token, limit] of [
    [11, "GET", "all", "99999"],
    [11, "HEAD", "most", "99999"],
    [11, "GET", "most", ""],
    [99, "GET", "all", "99999"],
    [99, "HEAD", "most", "99999"],
    [99, "GET", "most", ""],
  ] as const
) {
  test(`${count} pipelined requests, ${method} with "${limit}" of ${token}`, async () => {
    const socket = open(port);
    for (let at = 0; at < count; at++) {
      const target = limit && `?limit=${Number(limit) - at}`;
      socket.write(get(`/plants${target}`, token).replace("GET", method));
    }
    await assertServes(20);
    socket.resetAndDestroy();
    await sleep(200); // a list may be in progress
    const before = readCpu();
    await sleep(300);
    assert(readCpu() - before < 100, "the requests are still processed");
  });
}

test("40 clients that stop to read a list", async () => {
  const sockets = Array.from({ length: 40 }, () => open(port).pause());
  for (const socket of sockets) socket.write(get("/plants", "all"));
  await assertServes(50);
  for (const socket of sockets) socket.destroy();
});

test("500 clients that send headers and 500 that send a body, byte by byte", async () => {
  const received: string[] = [];
  const sockets = Array.from({ length: 1_000 }, (_, index) => {
    const socket = open(port);
    socket.once("data", (data) => received.push(`${data}`.slice(0, 12)));
    const body = get("/plants?limit=1", "all", "Content-Length: 60000");
    socket.write(index % 2 === 0 ? body : "GET / HTTP/1.1\r\nX: ");
    return socket;
  });
  while (sockets.some((socket) => !socket.destroyed)) {
    for (const socket of sockets) if (socket.writable) socket.write("x");
    await assertServes(2);
  }
  const expected = ["HTTP/1.1 200", "HTTP/1.1 408"]
    .flatMap((start) => Array(500).fill(start));
  assertEquals(received.sort(), expected);
});

for (
  const [name, headers] of [
    ["one long header", [`X: ${"x".repeat(15_000)}`]],
    ["196 headers", Array(196).fill(`a: ${"x".repeat(72)}`)],
    ["3,800 headers", Array(3_800).fill("a:")],
  ] as const
) {
  test(`99 slow requests with ${name} on each of 150 connections`, async (t) => {
    const env = { NODE_OPTIONS: "--max-old-space-size=128" };
    const server = await startServer(t, [], env);
    const requests = get("/plants", "demo-slow", ...headers);
    const sockets = Array.from({ length: 150 }, () => open(server.port));
    for (const socket of sockets) socket.write(requests.repeat(10));
    await sleep(1_000);
    for (const socket of sockets) socket.write(requests.repeat(89));
    await sleep(3_000);
    const received = await exchange(server.port, HEALTH);
    assert(received.startsWith("HTTP/1.1 200 "), "the server has crashed");
    for (const socket of sockets) socket.destroy();
  });
}
