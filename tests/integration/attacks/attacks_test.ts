import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { after, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals } from "@std/assert";
import { exchange, openWire } from "../../contract/wire.ts";
import { startServer } from "../../../tools/start_cli.ts";
import { writeFiles } from "../../support/files.ts";

// What clients cannot do to each other, as docs/operating.md promises.

/** How much the memory of the server can grow, in MB. */
const MAX_GROWTH = 150;

const HEALTH = "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";

/** Creates a request of a user. */
const get = (target: string, token: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, "Host: h", `Authorization: Bearer ${token}`]
    .concat(headers, "\r\n").join("\r\n");

const files = await writeFiles({ after }, {
  // Its list has 7.5 MB.
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

function open(): Socket {
  const socket = connect(port, "127.0.0.1");
  return socket.on("error", () => {}); // the server may reset it
}

/** Returns the resident memory of the server in MB. */
function readMemory(): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1e3;
}

/** Checks that another client is served during an attack. */
async function assertServes(rounds: number): Promise<void> {
  const before = readMemory();
  for (let round = 0; round < rounds; round++) {
    assert((await exchange(port, HEALTH)).startsWith("HTTP/1.1 200 "));
    const growth = readMemory() - before;
    assert(growth < MAX_GROWTH, `memory grew by ${growth} MB`);
  }
}

for (
  const [method, token, limit] of [
    ["GET", "all", 99_999],
    ["HEAD", "most", 99_999],
    ["GET", "most", 0],
  ] as const
) {
  test(`99 pipelined requests, ${method} with ${limit || "no"} limit of ${token}`, async () => {
    const socket = open();
    for (let at = 0; at < 99; at++) {
      const target = limit > 0 ? `?limit=${limit - at}` : "";
      const request = get(`/plants${target}`, token);
      socket.write(request.replace("GET", method));
    }
    await assertServes(50);
    socket.resetAndDestroy();
  });
}

test("a request for an upgrade among requests that are ignored does not end the server", async () => {
  const upgrade = "Connection: upgrade\r\nUpgrade: x\r\n\r\n";
  for (let count = 20; count < 70; count++) {
    const socket = open();
    await once(socket, "connect");
    const plain = HEALTH.replace(/Conn.*\s+$/, "\r\n").repeat(count);
    socket.write(plain + HEALTH.replace(/Conn.*\s+$/, upgrade)); // one read
    await exchange(port, HEALTH); // by now, all requests have been read
    socket.resetAndDestroy();
    await assertServes(1);
  }
});

for (const step of [0, 1]) {
  test(`40 clients that stop to read a list, with limits ${step} apart`, async () => {
    const wires = Array.from({ length: 40 }, (_, index) => {
      const wire = openWire(port);
      wire.pause();
      const target = `/plants?limit=${99_999 - step * index}`;
      wire.write(get(target, "all", "Connection: close"));
      return wire;
    });
    await assertServes(300); // on a busy machine, in less than sendTimeout
    let whole = 0;
    for (const wire of wires) {
      wire.resume();
      if ((await wire.closed).endsWith("]\r\n0\r\n\r\n")) whole++;
    }
    assertEquals(whole, 40);
  });
}

test("500 clients that send headers and 500 that send a body, byte by byte", async () => {
  const received: string[] = [];
  const sockets = Array.from({ length: 1_000 }, (_, index) => {
    const socket = open();
    socket.once("data", (data) => received.push(`${data}`.slice(0, 12)));
    const body = get("/plants?limit=1", "all", "Content-Length: 60000");
    socket.write(index % 2 === 0 ? body : "GET / HTTP/1.1\r\nX: ");
    return socket;
  });
  while (sockets.some((socket) => !socket.destroyed)) {
    for (const socket of sockets) if (socket.writable) socket.write("x");
    await assertServes(2);
    await setTimeout(100);
  }
  const expected = ["HTTP/1.1 200", "HTTP/1.1 408"]
    .flatMap((start) => Array(500).fill(start));
  assertEquals(received.sort(), expected);
});
