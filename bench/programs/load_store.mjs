import { performance } from "node:perf_hooks";
import process from "node:process";
import { pathToFileURL } from "node:url";

// Opens a file store, and says how long it took.

const [module, plants, tokens] = process.argv.slice(2);
const { openFileStore } = await import(pathToFileURL(module).href);

const start = performance.now();
globalThis.kept = await openFileStore({ plants, tokens, watch: false });
console.log(`loaded ${performance.now() - start}`);
setInterval(() => {}, 60_000); // its memory is read now
