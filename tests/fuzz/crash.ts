import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";

// npm run fuzz:crash -- [--connections N] [--seed N|fresh] [--server serve|http|express]
//
// Sends random pipelines that are cut off at a random byte, and checks that the
// server survives and that all responses are in order and framed correctly. Unlike
// `npm run fuzz`, it does not check what the responses say. The server runs on the
// same Node.js as this program: `npx -p node@22 node --import tsx tests/fuzz/crash.ts`.

const { values } = parseArgs({
  options: {
    connections: { type: "string", default: "200000" },
    seed: { type: "string", default: "fresh" },
    server: { type: "string", default: "serve" },
  },
});
const connections = Number(values.connections);
const firstSeed = values.seed === "fresh"
  ? randomInt(2 ** 30)
  : Number(values.seed);
const isEmbedded = values.server !== "serve";

/** How many connections are open at a time. */
const WIDTH = 16;

/** Returns random numbers from 0 to 1 (Mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = state + 0x6D2B79F5 | 0;
    let value = Math.imul(state ^ state >>> 15, 1 | state);
    value = value + Math.imul(value ^ value >>> 7, 61 | value) ^ value;
    return ((value ^ value >>> 14) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;
const chance = (random: Random, share: number) => random() < share;
const pick = <T>(random: Random, values: readonly T[]): T =>
  values[random() * values.length | 0]!;

const PATHS = ["/healthz", "/readyz", "/plants", "/", "/openapi.json", "/no"];
const METHODS = ["GET", "GET", "GET", "GET", "HEAD", "OPTIONS", "POST"];
const EXPECTATIONS = ["100-continue", "100-continue", "100-Continue", "coffee"];
const OTHERS = [
  "Connection: close",
  "Connection: x, Close\t",
  "Connection: keep-alive",
  "Connection: upgrade\r\nUpgrade: h2c",
  "Transfer-Encoding: gzip",
  "Host: again",
  "If-None-Match: *",
];
const GARBAGE = [
  "\0",
  "nonsense\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
];
const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const SMUGGLED =
  "GET /healthz HTTP/1.1\r\nHost: h\r\nX-Request-Id: body\r\n\r\n";

/** Creates a request whose response has this ID. */
function createRequest(random: Random, id: string): string {
  if (chance(random, 0.02)) return pick(random, GARBAGE);
  const isConnect = chance(random, 0.03);
  const start = isConnect
    ? "CONNECT a:80"
    : `${pick(random, METHODS)} ${pick(random, PATHS)}`;
  const lines = [
    `${start} HTTP/1.${chance(random, 0.1) ? 0 : 1}`,
    `X-Request-Id: ${id}`,
    `Authorization: Bearer ${pick(random, ["text", "bytes", "slow"])}`,
  ];
  if (!chance(random, 0.05)) lines.push("Host: h");
  if (chance(random, 0.2)) lines.push(`Expect: ${pick(random, EXPECTATIONS)}`);
  if (chance(random, 0.1)) lines.push(pick(random, OTHERS));
  let body = "";
  if (chance(random, 0.25)) {
    const content = pick(random, ["", "x", SMUGGLED, "y".repeat(5_000)]);
    const isChunked = chance(random, 0.4);
    const size = content.length.toString(16);
    const chunk = content && `${size}\r\n${content}\r\n`;
    body = isChunked ? `${chunk}0\r\n\r\n` : content;
    if (chance(random, 0.1)) body = body.slice(0, -1);
    lines.push(
      isChunked
        ? "Transfer-Encoding: chunked"
        : `Content-Length: ${content.length}`,
    );
  }
  return [...lines, "", body].join("\r\n");
}

/** Checks the responses on a connection, of which the last one can be incomplete. */
function check(text: string, isHead: readonly boolean[], name: string): void {
  let rest = text;
  let isLast = false;
  for (let last = -1; rest !== "";) {
    if (rest.startsWith(CONTINUE)) {
      rest = rest.slice(CONTINUE.length);
      continue;
    }
    if (isLast) throw new Error("a response after the last one");
    const end = rest.indexOf("\r\n\r\n");
    if (!rest.startsWith("HTTP/1.1 ".slice(0, rest.length))) {
      throw new Error("expected a response");
    }
    if (end === -1) return;
    const head = rest.slice(0, end + 2);
    rest = rest.slice(end + 4);
    const status = Number(/^HTTP\/1\.1 ([2-5]\d\d) /.exec(head)?.[1]);
    const length = /^content-length: (\d+)\r$/im.exec(head)?.[1];
    const id = /^x-request-id: (.*)\r$/im.exec(head)?.[1];
    isLast = /^connection: close\r$/im.test(head);
    // Node.js itself can respond to a request that it rejects.
    const isOwn = id === undefined && [400, 408, 417, 431].includes(status);
    if (isOwn && length === undefined && isEmbedded) {
      if (rest.startsWith("0\r\n\r\n")) rest = rest.slice(5);
      continue;
    }
    const [connection, index] = (id ?? `${name}.${last + 1}`).split(".");
    if (!isOwn && id === undefined || connection !== name) {
      throw new Error(`expected an ID that starts with ${name}, got ${id}`);
    }
    if (Number(index) <= last) throw new Error(`unexpected ID ${id}`);
    last = Number(index);
    if (isHead[last] && !isOwn || status === 204 || status === 304) continue;
    if (length === undefined) throw new Error(`no length: ${head}`);
    const body = rest.slice(0, Number(length));
    if (body.includes("HTTP/1.1 ")) {
      throw new Error(`headers in a body: ${body}`);
    }
    if (body.length < Number(length)) return;
    if (/^content-type: application\/json\r$/im.test(head)) JSON.parse(body);
    rest = rest.slice(Number(length));
  }
}

/** Opens a connection, sends a part of a pipeline, and checks the responses. */
async function attack(seed: number, port: number): Promise<void> {
  const random = createRandom(seed);
  const name = `${seed}`;
  const count = chance(random, 0.02) ? 130 : 1 + random() * 7 | 0;
  const requests = Array.from(
    { length: count },
    (_, index) => createRequest(random, `${name}.${index}`),
  );
  const isHead = requests.map((request) => request.startsWith("HEAD "));
  const text = requests.join("");
  const ending = pick(random, ["reset", "reset", "half-close", "wait", "slow"]);
  const isWhole = chance(random, 0.5);
  const sent = text.slice(0, isWhole ? text.length : random() * text.length);
  const cut = chance(random, 0.3) ? random() * sent.length : sent.length;

  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let received = "";
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.on("error", () => {});
  socket.on("end", () => socket.end());
  if (!await once(socket, "connect").catch(() => undefined)) return;
  socket.setEncoding("latin1").on("data", (data) => received += data);
  if (ending === "slow") socket.pause();
  socket.write(sent.slice(0, cut), "latin1");
  if (cut < sent.length) {
    await setTimeout(random() * 3);
    socket.write(sent.slice(cut), "latin1");
  }
  if (ending === "half-close") socket.end();
  if (ending === "reset" && chance(random, 0.5)) await setTimeout(random() * 5);
  if (ending !== "reset") {
    await Promise.race([closed, setTimeout(random() * 20)]);
    socket.resume();
    await Promise.race([closed, setTimeout(random() * 20)]);
  }
  socket.resetAndDestroy();
  try {
    check(received, isHead, name);
  } catch (error) {
    throw new Error(
      `connection ${seed}: ${error}\nsent ${JSON.stringify(sent)}\n` +
        `received ${JSON.stringify(received)}`,
    );
  }
}

async function startServer(): Promise<[ChildProcess, readonly number[]]> {
  const server = spawn(process.execPath, [
    ...["--import", "tsx", "tests/fuzz/crash_server.ts", values.server],
  ], { stdio: ["ignore", "pipe", "inherit"] });
  process.on("exit", () => server.kill("SIGKILL"));
  const [line] = await once(server.stdout!, "data");
  return [server, String(line).trim().split(" ").map(Number)];
}

const [server, ports] = await startServer();
let seed = firstSeed;
const start = performance.now();

async function attackInTurn(): Promise<void> {
  while (seed < firstSeed + connections && server.exitCode === null) {
    const own = seed++;
    if (own % 10_000 === 0) printProgress();
    await attack(own, ports[own % ports.length]!);
  }
}

function printProgress(): void {
  const seconds = ((performance.now() - start) / 1_000).toFixed(0);
  console.log(
    `${seed - firstSeed} of ${connections} connections, ${seconds} s`,
  );
}

console.log(
  `Node.js ${process.versions.node}, ${values.server}, seed ${firstSeed}`,
);
let failure = "";
await Promise.all(Array.from({ length: WIDTH }, attackInTurn))
  .catch((error) => failure = `${error.message}`);
printProgress();
await setTimeout(500); // a crash takes a moment
if (server.exitCode !== null) {
  failure = `the server exited with status ${server.exitCode}`;
} else {
  for (const port of ports) {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`);
    if (response.status !== 200) failure ||= "the server does not respond";
  }
}
if (failure) console.error(`fuzz: ${failure}`);
process.exit(failure ? 1 : 0);
