import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { openFileStore } from "../../dist/files.js";
import { createHandler } from "../../dist/mod.js";

// Measures a file store of one size, and prints the metrics.

const [plants, tokens] = process.argv.slice(2);

/** Runs a task, and returns its CPU time in milliseconds. */
async function measure(task) {
  const start = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e3;
}

let store;
const load = await measure(async () => {
  store = await openFileStore({ plants, tokens, watch: false });
});
globalThis.gc();
const memory = process.memoryUsage.rss() / 1e6;

const handler = createHandler(store);
const request = async (user) => {
  const headers = { authorization: `Bearer token-${user}` };
  const response = await handler("/plants?limit=20", { headers });
  if (response.status !== 200) throw new Error(`status ${response.status}`);
};
const USERS = 1_000, REQUESTS = 20_000;
// Compiles the code, with the user of number 0, who sees all plants.
for (let count = 0; count < REQUESTS; count++) await request(0);
/** Measures the first list of each user from `start`, who see tags or names in turn. */
const measureFirst = async (start) =>
  await measure(async () => {
    for (let user = start; user < USERS; user += 2) await request(user);
  }) / (USERS / 2) * 1e3;
const byTag = await measureFirst(1), byName = await measureFirst(2);
const warm = await measure(async () => {
  for (let count = 0; count < REQUESTS; count++) await request(1);
}) / REQUESTS * 1e3;

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

const text = await readFile(plants, "utf8");
const parse = await measure(() => JSON.parse(text));
console.log(
  JSON.stringify({ load, parse, pause, memory, peak, warm, byTag, byName }),
);
process.exit();
