import { performance } from "node:perf_hooks";
import process from "node:process";
import { openFileStore } from "../../dist/files.js";

// Measures a file store of one size, and prints the metrics.

const [plants, tokens] = process.argv.slice(2);

const start = process.cpuUsage();
const store = await openFileStore({ plants, tokens, watch: false });
const { user, system } = process.cpuUsage(start);
const load = (user + system) / 1e3;
globalThis.gc();
const memory = process.memoryUsage.rss() / 1e6;

let pause = 0, last = performance.now();
const timer = setInterval(() => {
  const now = performance.now();
  pause = Math.max(pause, now - last);
  last = now;
}, 1);
await store.reload();
await new Promise((resolve) => setTimeout(resolve, 5)); // the timer's last turn
clearInterval(timer);
const peak = process.resourceUsage().maxRSS * 1024 / 1e6;

console.log(JSON.stringify({ load, pause, memory, peak }));
process.exit();
