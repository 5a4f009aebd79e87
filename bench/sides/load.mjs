import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import process from "node:process";

// Loads a plants file, with a tokens file through the store, alone by JSON.parse,
// and prints how long it took and the peak of memory.

const [plants, tokens] = process.argv.slice(2);
const { openFileStore } = tokens ? await import("../../dist/files.js") : {};

const start = performance.now();
globalThis.content = tokens
  ? await openFileStore({ plants, tokens, watch: false })
  : JSON.parse(await readFile(plants, "utf8"));
const time = performance.now() - start;
const peak = process.resourceUsage().maxRSS * 1024 / 1e6;
console.log(JSON.stringify({ time, peak }));
process.exit();
