import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import process from "node:process";

// Loads a plants file, through the store if there is a tokens file and with
// JSON.parse otherwise. Prints the time in milliseconds and the peak memory in MB.

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
