import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { assert } from "@std/assert";
import { exchange } from "../../contract/wire.ts";
import { start, stopAfter } from "../../support/command.ts";
import { until } from "../../support/until.ts";
import { measure, MEASURED } from "../../support/usage.ts";

// Clients without a token that send as many requests as Node reads at once.

const CONNECTIONS = 4, BYTES = 65_536;

/** The limits for the memory of a connection, and for the CPU time compared with /healthz. */
const MEGABYTES = 1, TIMES = 5;

/** The number of measurements of each attack. The shortest time counts. */
const ROUNDS = 2;

const GET_HEALTH = "GET /healthz HTTP/1.1\r\nHost:h\r\n";

/** Requests for everything that the server sends without a token, cheapest first. */
const REQUESTS = [
  GET_HEALTH,
  "GET / HTTP/1.1\r\nHost:h\r\n",
  "GET /openapi.json HTTP/1.1\r\nHost:h\r\n",
  "HEAD /openapi.json HTTP/1.1\r\nHost:h\r\n",
  "GET /readyz HTTP/1.1\r\nHost:h\r\n",
  "GET /plants HTTP/1.1\r\nHost:h\r\n",
  "GET /plants HTTP/1.1\r\nHost:h\r\nAuthorization:Bearer x\r\n",
  "GET /no HTTP/1.1\r\nHost:h\r\n",
  "POST / HTTP/1.1\r\nHost:h\r\nContent-Length:0\r\n",
  "OPTIONS * HTTP/1.1\r\nHost:h\r\n",
  "OPTIONS / HTTP/1.1\r\nHost:h\r\nOrigin:h\r\nAccess-Control-Request-Method:GET\r\n",
  "GET / HTTP/1.1\r\nHost:/\r\n",
  "GET / HTTP/1.0\r\n",
  "GET / HTTP/1.1\r\nHost:h\r\nExpect:100-continue\r\n",
  "GET / HTTP/1.1\r\nHost:h\r\nConnection:close\r\n",
];

/** How clients read. They call `read` every 10 ms. */
const READERS: Readonly<Record<string, (socket: Socket) => void>> = {
  "reads": (socket) => socket.resume(),
  "reads slowly": (socket) => socket.read(1_000),
  "does not read": () => {},
};

/** Limits that close connections soon. */
const LIMITS = '{"sendTimeout":3000,"keepAliveTimeout":3000}';

/** Starts a server, and returns a function that attacks it. */
async function startVictim(t: TestContext, kind: string) {
  const args = [kind, "false", LIMITS];
  const victim = start(args, MEASURED, ".", "tests/fuzz/host.ts");
  stopAfter(t, victim);
  const [, port] = await victim.until("stdout", /^Listening on .*:(\d+)\/$/m);
  const { pid } = victim.process;
  let count = 0;
  const countDescriptors = () => readdirSync(`/proc/${pid}/fd`).length;

  /** Returns the memory, and the CPU time during which another client has to wait. */
  async function attack(request: string, read: (socket: Socket) => void) {
    const idle = countDescriptors();
    const before = await measure(victim, ++count);
    const text = `${request}\r\n`.repeat(BYTES / (request.length + 2));
    const sockets = Array.from({ length: CONNECTIONS }, () => {
      const socket = connect(Number(port), "127.0.0.1").on("error", () => {})
        .pause();
      socket.write(text);
      return socket;
    });
    const interval = setInterval(() => sockets.forEach(read), 10);
    try {
      await exchange(Number(port), `${GET_HEALTH}Connection:close\r\n\r\n`);
      const { cpu, heap, buffers } = await measure(victim, ++count);
      await until(() => countDescriptors() <= idle);
      return {
        cpu: cpu - before.cpu,
        memory: heap + buffers - before.heap - before.buffers,
      };
    } finally {
      clearInterval(interval);
      for (const socket of sockets) socket.destroy();
    }
  }
  return attack;
}

for (const kind of ["serve", "http"]) {
  for (const [reads, read] of Object.entries(READERS)) {
    test(`${kind}: a connection that ${reads} uses limited memory and CPU time`, async (t) => {
      const attack = await startVictim(t, kind);
      async function repeat(request: string) {
        let cpu = Infinity, memory = 0;
        for (let round = 0; round < ROUNDS; round++) {
          const usage = await attack(request, read);
          cpu = Math.min(cpu, usage.cpu);
          memory = Math.max(memory, usage.memory);
        }
        return { cpu, memory };
      }
      const usual = await repeat(GET_HEALTH);
      for (const request of REQUESTS) {
        const { cpu, memory } = await repeat(request);
        const figures = `${JSON.stringify(request)}: ${cpu.toFixed(0)} ms, ` +
          `usually ${usual.cpu.toFixed(0)} ms; +${memory.toFixed(1)} MB`;
        t.diagnostic(figures);
        assert(memory < CONNECTIONS * MEGABYTES, figures);
        assert(cpu < TIMES * usual.cpu, figures);
      }
    });
  }
}
