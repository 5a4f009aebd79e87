import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { connect } from "node:net";
import process from "node:process";
import { describe, test, type TestContext } from "node:test";
import { setImmediate, setTimeout } from "node:timers/promises";
import { assertEquals } from "@std/assert";
import { createMemoryStore, withBehavior } from "../../../mod.ts";
import { openapi } from "../../../src/openapi/openapi.ts";
import { createNodeListener } from "../../../src/server/node.ts";
import { listen } from "../../../tools/port.ts";
import type { CaseResponse } from "../../contract/all_cases.ts";
import { parseResponse } from "../../contract/wire.ts";
import fc, { type Generated } from "../../support/fast_check.ts";
import { listenWith } from "../../support/node_server.ts";
import { PATIENCE } from "../../../tools/until.ts";

// Opens connections that send several requests at once, many of them malformed, cut off,
// or from clients that leave. Each response must be the one that its request gets alone.
// `npm run fuzz` opens as many connections as the variable CONNECTIONS says, and can test
// another version of Node.js: `npx -p node@22 npm run fuzz`.

/** How many connections are opened to each server. */
const CONNECTIONS = Number(process.env["CONNECTIONS"] ?? 400);

/** How many connections are open at the same time. */
const AT_ONCE = 48;

/** How many of the requests below can always wait on a connection. */
const MIN_ACCEPTED = 11;

/** The maximum number of headers. */
const MAX_HEADERS = 200;

const LIST = "GET /plants HTTP/1.1";
const HOST = ["Host: a"];
const USER = [...HOST, "Authorization: Bearer t"];

/** The lines of a request, and the body. */
type Kind = readonly [lines: readonly string[], body?: string];

/** Requests after which the connection stays open. */
const OPEN: readonly Kind[] = [
  [[LIST, ...USER]],
  [["GET /plants?limit=1 HTTP/1.1", ...USER]],
  [["GET /plants?limit=x HTTP/1.1", ...USER]],
  [["HEAD /plants HTTP/1.1", ...USER]],
  [["HEAD /healthz HTTP/1.1", ...HOST]],
  [["GET /openapi.json HTTP/1.1", ...HOST]],
  [["OPTIONS /plants HTTP/1.1", ...HOST]],
  [["DELETE /plants HTTP/1.1", ...USER]],
  [[LIST, ...HOST]],
  [[LIST, ...USER, "If-None-Match: *"]],
  [[LIST, ...USER, "Content-Length: 0"]],
  [["GET /missing HTTP/1.1", ...HOST]],
  [[`GET /${"x".repeat(9_000)} HTTP/1.1`, ...HOST]],
];

/** Requests after which `serve` closes the connection. */
const CLOSING: readonly Kind[] = [
  [[LIST, ...USER, "Connection: close"]],
  [[LIST, ...USER, "Connection: x, close"]],
  [[LIST, ...USER, "Connection: upgrade", "Upgrade: h2c"]],
  [["GET /plants HTTP/1.0", ...USER]],
  [[LIST, ...USER, "Expect: 100-continue"]],
  [[LIST, ...USER, "Expect: coffee"]],
  [[LIST, "Host: /"]],
  [["POST /plants HTTP/1.1", ...USER, "Content-Length: 5"], "hello"],
  [["POST /x HTTP/1.1", ...USER, "Content-Length: 70000"], "x".repeat(7e4)],
  [
    ["PUT /healthz HTTP/1.1", ...HOST, "Transfer-Encoding: chunked"],
    "5\r\nhello\r\n0\r\n\r\n",
  ],
  [[LIST, ...USER, "Transfer-Encoding: gzip, chunked"], "0\r\n\r\n"],
  [[LIST]],
  [[LIST, ...HOST, "Host: b"]],
  [[LIST, ...HOST, `X: ${"x".repeat(17_000)}`]],
  [[LIST, ...HOST, ...Array(MAX_HEADERS).fill("a:")]],
  [["CONNECT a:80 HTTP/1.1", ...HOST]],
  [["FOO /plants HTTP/1.1", ...HOST]],
  [["nonsense"]],
  [[LIST, "X: \0"]],
];
const REQUESTS = [...OPEN, ...CLOSING];

/** Text that is inserted, so that the correct response is unknown, and where. */
const insertion = fc.tuple(
  fc.nat(80),
  fc.constantFrom(..."\0|\r\n|\n|\r\n\r\n|\t| |x|:|é|\r\nX: |5".split("|")),
);
/** A request as it is sent, with its index in {@linkcode REQUESTS}. */
const sent = fc.record({
  kind: fc.nat(REQUESTS.length - 1),
  insertion: fc.option(insertion, { freq: 20, nil: undefined }),
});
type Sent = Generated<typeof sent>;
/** A request that does not close the connection is more likely. */
const simple = fc.record<Sent>({
  kind: fc.nat(OPEN.length - 1),
  insertion: fc.constant(undefined),
});

/** The last request of a connection. */
const LAST: Sent = { kind: OPEN.length, insertion: undefined };

/** What a client sends, and how it leaves. */
const exchanges = fc.record({
  requests: fc.array(fc.oneof({ weight: 15, arbitrary: simple }, sent), {
    maxLength: 69,
    size: "max",
  }).map((requests) => [...requests, LAST]),
  writeSize: fc.constantFrom(1e6, 1e6, 1e6, 1_000, 50), // bytes at a time
  leaves: fc.option(fc.constantFrom("reset", "half-close"), {
    freq: 2,
    nil: undefined,
  }),
  share: fc.constantFrom(1, 0.9, 0.5, 0.1), // of the bytes, before it leaves
  delay: fc.nat(10), // in milliseconds
}).map((exchange) =>
  // A server waits for the rest of a request that is incomplete.
  exchange.leaves || exchange.requests.every(({ insertion }) => !insertion)
    ? exchange
    : { ...exchange, leaves: "half-close", share: 1 }
);
type Exchange = Generated<typeof exchanges>;

function toText({ kind, insertion: [at, text] = [0, ""] }: Sent, id: number) {
  const [[start, ...lines], body = ""] = REQUESTS[kind]!;
  const all = [start, `X-Request-Id: ${id}`, ...lines, "", body].join("\r\n");
  return all.slice(0, at) + text + all.slice(at);
}

/**
 * Sends text, and returns what is received until the connection closes. The client
 * closes it if what it has received is complete.
 */
async function send(
  port: number,
  text: string,
  how: Partial<Exchange> = {},
  isComplete: (received: string) => boolean = () => false,
): Promise<string> {
  const { writeSize = Infinity, leaves, share = 1, delay = 0 } = how;
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let received = "";
  const closed = new Promise<void>((resolve) => socket.on("close", resolve));
  socket.setEncoding("latin1").on("data", (data) => {
    received += data;
    if (isComplete(received)) socket.destroy();
  });
  socket.on("end", () => socket.destroy()).on("error", () => {});
  socket.setTimeout(PATIENCE, () => {
    received += `nothing for ${PATIENCE} ms`;
    socket.destroy();
  });
  await once(socket.setNoDelay(), "connect");
  const sent = leaves ? text.slice(0, text.length * share) : text;
  const size = Math.max(writeSize, sent.length / 100);
  for (let at = 0; at < sent.length && socket.writable; at += size) {
    if (at > 0) await setImmediate();
    socket.write(sent.slice(at, at + size), "latin1");
  }
  if (leaves) await setTimeout(delay);
  if (leaves === "reset") socket.resetAndDestroy();
  if (leaves === "half-close") socket.end();
  await closed;
  return received;
}

/** Reads a response, and what follows it, unless the connection ended within it. */
function read(received: string, kind: number) {
  return parseResponse(received, REQUESTS[kind]![0][0]!.split(" ")[0]);
}

/** Whether a response closes the connection. */
const closes = ({ headers }: CaseResponse) =>
  headers.get("connection") === "close";

/** What must be equal, wherever a request is sent. */
function toComparable({ status, headers, body }: CaseResponse): unknown {
  return [status, headers.get("etag"), body];
}

/** The number of requests that the server receives as a whole. */
function countReceived({ requests, leaves, share }: Exchange): number {
  if (leaves === "reset") return 0;
  const texts = requests.map(toText);
  let left = Math.floor(texts.join("").length * (leaves ? share : 1));
  const isReceived = ({ length }: string) => (left -= length) >= 0;
  return texts.filter(isReceived).length;
}

/** The response to each kind of request, sent alone; undefined if the server just closes. */
type Alone = readonly (CaseResponse | undefined)[];

function readAlone(port: number): Promise<Alone> {
  return Promise.all(REQUESTS.map(async (_, kind) => {
    const sent: Sent = { kind, insertion: undefined };
    const received = await send(
      port,
      toText(sent, 0),
      {},
      (received) => read(received, kind) !== undefined,
    );
    const found = read(received, kind);
    assertEquals(found?.rest ?? received, "");
    return found?.response;
  }));
}

/**
 * Checks the responses on a connection: one for each request that the server has
 * received, in order. If too many wait, the last response closes the connection.
 */
function check(
  exchange: Exchange,
  received: string,
  alone: Alone,
  isHost: boolean,
): void {
  const { requests, leaves } = exchange;
  const count = countReceived(exchange);
  // Node.js closes the connection after CONNECT. A host also resets it if the client
  // half-closes, or sends anything after a request that closes it.
  const canBeCut = leaves === "reset" ||
    requests.some(({ kind }) => !alone[kind]) ||
    isHost && (leaves !== undefined ||
        requests.slice(0, -1).some(({ kind }) => kind >= OPEN.length));
  let rest = received;
  for (const [id, { kind, insertion }] of requests.entries()) {
    const expected = alone[kind];
    if (rest === "" && (insertion || !expected || id >= count)) return;
    const found = read(rest, kind);
    if (!found && canBeCut) return;
    if (!found) throw new Error(`no response ${id}: ${rest}`);
    const { status, headers } = found.response;
    // Node.js itself can reject a request before it sends earlier responses.
    const isOwn = isHost && /^4(?:00|31)$/.test(`${status}`) &&
      !headers.has("content-length");
    // A request that is cut off is malformed, and so is what follows an insertion.
    const isPart = id >= count && status === 400;
    if (insertion || isOwn || isPart) return;
    assertEquals(toComparable(found.response), toComparable(expected!));
    const isFull = !isHost && id + 1 >= MIN_ACCEPTED && found.rest === "";
    if (!isFull) assertEquals(closes(found.response), closes(expected!));
    const requestId = headers.get("x-request-id");
    if (requestId !== null) assertEquals(requestId, `${id}`);
    rest = found.rest;
    if (closes(found.response)) break;
  }
  if (!canBeCut) assertEquals(rest, "");
}

const memory = createMemoryStore({
  plants: [{ name: "fern" }, { name: "é".repeat(10_000) }],
  users: { all: { plants: "all", tokens: ["t"] } },
});
const sometimesSlow = {
  async authenticate(token: string) {
    if (Math.random() < 0.3) await setTimeout(Math.random() * 5);
    return memory.authenticate(token);
  },
};
const store = withBehavior(sometimesSlow, {}, { delay: "0-2" });
const errors: unknown[] = [];
const options = {
  openapi,
  onResponse() {},
  onError: (error: unknown) => void errors.push(error),
};
process.on("warning", (warning) => errors.push(warning));

type Listener = ReturnType<typeof createNodeListener>;

function host(t: TestContext, listener: Listener): Promise<number> {
  const server = createServer(listener);
  server.maxHeadersCount = 0; // otherwise, Node.js drops headers
  return listen(t, server);
}

// `npm run check` does not need the packages of the tests.
const express = createRequire(import.meta.url)("express");

/** Start a server and return its port. */
const SERVERS: Readonly<Record<string, (t: TestContext) => Promise<number>>> = {
  async serve(t) {
    // On a busy machine, a request can take longer to arrive.
    const patient = { headersTimeout: PATIENCE, requestTimeout: PATIENCE };
    const server = await listenWith(store, { ...options, ...patient });
    t.after(() => server[Symbol.asyncDispose]());
    return server.port;
  },
  http: (t) => host(t, createNodeListener(store, options)),
  express: (t) => host(t, express().use(createNodeListener(store, options))),
};

describe("fuzz", { concurrency: true }, () => {
  for (const [name, start] of Object.entries(SERVERS)) {
    test(`${CONNECTIONS} connections get correct responses from ${name}`, async (t) => {
      const port = await start(t);
      const alone = await readAlone(port);
      const count = (status: number) =>
        alone.filter((each) => each?.status === status).length;
      assertEquals([200, 400, 405].filter((status) => count(status) < 3), []);
      if (name === "serve") {
        const closing = alone.map((each) =>
          each?.headers.get("connection") !== "keep-alive"
        );
        assertEquals(closing, REQUESTS.map((_, kind) => kind >= OPEN.length));
      }
      const property = fc.asyncProperty(
        fc.array(exchanges, { minLength: 1, maxLength: AT_ONCE, size: "max" }),
        async (all) => {
          await Promise.all(all.map(async (each) => {
            const text = each.requests.map(toText).join("");
            const received = await send(port, text, each);
            try {
              check(each, received, alone, name !== "serve");
            } catch (cause) {
              const { requests: _, ...how } = each;
              const sent = JSON.stringify([text.slice(0, 2_000), how]);
              throw new Error(sent, { cause });
            }
          }));
          assertEquals(errors, []);
        },
      );
      const numRuns = Math.ceil(CONNECTIONS / (AT_ONCE / 2));
      await fc.assert(property, { numRuns, endOnFailure: true })
        .catch(({ cause, message }) => {
          throw cause ?? new Error(message);
        });
    });
  }
});
