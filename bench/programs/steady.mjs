import { Agent, get } from "node:http";
import { performance } from "node:perf_hooks";
import process from "node:process";

// Sends requests at a fixed rate until standard input ends. An answer's time
// counts from when its request was due, so that a server that stalls can't hide
// the requests that waited meanwhile.

const [url, token, rate, connections] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const headers = { Authorization: `Bearer ${token}` };
const interval = 1_000 / Number(rate);

/** The first requests are made by cold code on new connections. */
const WARM_UP = 1_000;

const seen = { requests: 0, failures: 0, longest: 0 };
let open = 0;
let isOver = false;

function send(due, counts) {
  open++;
  let isDone = false;
  function done(isFailure) {
    if (isDone) return;
    isDone = true;
    open--;
    if (counts) {
      seen.requests++;
      if (isFailure) seen.failures++;
      seen.longest = Math.max(seen.longest, performance.now() - due);
    }
    report();
  }
  get(url, { agent, headers, timeout: 30_000 }, (response) => {
    response.on("error", () => done(true));
    response.on("end", () => done(response.statusCode !== 200));
    response.resume();
  }).on("timeout", function () {
    this.destroy();
  }).on("error", () => done(true));
}

function report() {
  if (!isOver || open > 0) return;
  console.log(`seen ${JSON.stringify(seen)}`);
  process.exit();
}

const start = performance.now();
let next = start;
let isReady = false;
const timer = setInterval(() => {
  const now = performance.now();
  for (; next <= now; next += interval) send(next, next - start > WARM_UP);
  if (isReady || now - start < WARM_UP) return;
  isReady = true;
  console.log("ready");
}, 1);

process.stdin.resume().on("end", () => {
  clearInterval(timer);
  isOver = true;
  report();
});
