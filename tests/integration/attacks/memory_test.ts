import { once } from "node:events";
import { connect } from "node:net";
import process from "node:process";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { assert, assertMatch } from "@std/assert";
import { createMemoryStore } from "../../../mod.ts";
import type { Limits } from "../../../src/server/runtimes/defaults.ts";
import { exchange } from "../../contract/wire.ts";
import fc, { type Generated } from "../../support/fast_check.ts";
import { listenWith } from "../../support/node_server.ts";
import {
  CLOSING,
  createSlowStore,
  GET,
  OPEN,
  SLOW,
} from "../../support/server.ts";

// The memory that connections can make the server keep, whatever they send.
// tests/integration/runtimes runs this on other versions of Node.js.

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Returns the size of what is in use, in bytes. */
function measure(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Lines that Node.js handles in a special way, and bodies. */
const KINDS = {
  plain: ["", ""],
  body: ["Content-Length: 15000\r\n", "x".repeat(15_000)],
  chunked: ["Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n"],
  upgrade: ["Connection: upgrade\r\nUpgrade: x\r\n", ""],
  expect: ["Expect: 100-continue\r\n", ""],
} as const;

const NAMES = Object.keys(KINDS) as readonly (keyof typeof KINDS)[];

/** Equal requests that a client writes one after the other. */
const bursts = fc.record({
  method: fc.constantFrom("GET", "GET", "GET", "POST", "CONNECT"),
  kind: fc.constantFrom("plain", "plain", ...NAMES),
  token: fc.constantFrom("slow", "slow", "t", "unknown"),
  count: fc.constantFrom(1, 2, 10, 2_500),
  headers: fc.constantFrom(0, 0, 20, 190),
  haveSameName: fc.boolean(),
  headerLength: fc.constantFrom(0, 0, 70, 14_000),
  targetLength: fc.constantFrom(0, 0, 8_000),
});

/** What a client sends. */
const floods = fc.record({
  bursts: fc.array(bursts, { minLength: 1, maxLength: 9 }),
  pieces: fc.constantFrom(1, 1, 2, 15), // in which each burst is sent
  pauses: fc.boolean(), // until the server has read a burst
  halfCloses: fc.boolean(),
  stopsReading: fc.boolean(),
});
type Flood = Generated<typeof floods>;

/** The size of what Node.js reads and parses at once, in bytes. */
const READ_SIZE = 65_536;

/** The bytes of a burst, which fit into one read. */
function format(burst: Generated<typeof bursts>): string {
  const name = (index: number) => burst.haveSameName ? "a" : `h${index}`;
  const headers = Array.from(
    { length: burst.headers },
    (_, index) => `${name(index)}:${"x".repeat(burst.headerLength)}\r\n`,
  ).join("").slice(0, 15_000);
  const [lines, body] = KINDS[burst.kind];
  const request = OPEN.replace("Bearer t", `Bearer ${burst.token}`)
    .replace("GET", burst.method)
    .replace("/plants", `/plants?${"x".repeat(burst.targetLength)}`)
    .concat(headers.slice(0, headers.lastIndexOf("\n") + 1))
    .concat(lines, "\r\n", body);
  return request.repeat(Math.min(burst.count, READ_SIZE / request.length + 1))
    .slice(0, READ_SIZE);
}

/** Opens connections that all send the same, and returns what each makes the server keep, in bytes. */
async function measureFlood(
  texts: readonly string[],
  connections: number,
  { pieces = 1, ...flood }: Partial<Flood> = {},
  limits: Partial<Limits> = {},
): Promise<number> {
  const store = createSlowStore();
  store.hold();
  await using server = await listenWith(store, limits);
  const before = measure();
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(server.port, "127.0.0.1");
    if (!flood.stopsReading) socket.resume();
    return socket.on("error", () => {}); // the server may reset it
  });
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  for (const text of texts) {
    const size = Math.ceil(text.length / pieces);
    for (let at = 0; at < text.length; at += size) {
      const piece = text.slice(at, at + size);
      for (const socket of sockets) socket.write(piece);
    }
    if (flood.pauses) await exchange(server.port, CLOSING);
  }
  if (flood.halfCloses) { for (const socket of sockets) socket.end(); }
  await exchange(server.port, CLOSING); // by now, all has been read
  const size = (measure() - before) / connections;
  for (const socket of sockets) socket.resetAndDestroy();
  assertMatch(await exchange(server.port, CLOSING), /^HTTP\/1\.1 200 /);
  return size;
}

test("headers beyond the limit are not kept", async () => {
  const head = OPEN + "ab:cd\r\n".repeat(2_300);
  const size = await measureFlood([head], 100);
  assert(size < 40_000, `${size} bytes`);
});

test("a connection cannot make the server keep more than 250 kB", async () => {
  const property = fc.asyncProperty(floods, async (flood) => {
    const size = await measureFlood(flood.bursts.map(format), 20, flood);
    assert(size < 250_000, `${size} bytes`);
  });
  await fc.assert(property, { numRuns: 20, endOnFailure: true });
});

for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
  test(`requests of the kind ${kind} that are ignored or wait keep little memory`, async () => {
    const [lines, body] = KINDS[kind];
    const request = OPEN.replace("GET", "POST") + lines + "\r\n" + body;
    const texts = [SLOW + GET.repeat(20), request.repeat(20)];
    const size = await measureFlood(texts, 20, { pauses: true });
    assert(size < 250_000, `${size} bytes`);
  });
}

test("all connections together cannot make the server keep more than totalQueuedBytes", async () => {
  const texts = [SLOW.repeat(40)];
  const size = await measureFlood(texts, 100, {}, { totalQueuedBytes: 1e6 });
  assert(size < 40_000, `${size} bytes`);
});

test("a list of old content is not kept", async () => {
  const users = { u: { plants: "all", tokens: ["t"] } } as const;
  const create = (round: number) => ({
    plants: Array.from({ length: 40_000 }, (_, index) => ({
      name: `${round} ${index}`,
    })),
    users,
  });
  const store = createMemoryStore(create(0));
  await using server = await listenWith(store);
  const list = CLOSING.replace("/plants", "/plants?limit=1000");
  await exchange(server.port, list);
  const before = measure();
  for (let round = 1; round <= 15; round++) {
    store.replace(create(round));
    await exchange(server.port, list);
  }
  const size = measure() - before;
  assert(size < 20_000_000, `${size} bytes`);
});
