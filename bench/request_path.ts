import { readFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../src/server/serve.ts";
import { openFileStore } from "../src/stores/files.ts";

// Prints the files in src that run for a warm GET /plants?limit=3 request on
// Node.js, and their line counts, based on coverage from V8.
//
// node --import tsx bench/request_path.ts

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const store = await openFileStore({
  plants: `${ROOT}data/plants.json`,
  tokens: `${ROOT}data/tokens.json`,
  watch: false,
});
const server = await serve(store, { port: 0 });

async function send(): Promise<void> {
  const headers = { authorization: "Bearer demo-florist" };
  const response = await fetch(`${server.url}plants?limit=3`, { headers });
  await response.text();
}

const session = new Session();
session.connect();
await session.post("Profiler.enable");
for (let time = 0; time < 10; time++) await send();
const options = { callCount: true, detailed: true };
await session.post("Profiler.startPreciseCoverage", options);
await send();
const { result } = await session.post("Profiler.takePreciseCoverage");
session.disconnect();
await server.close();
await store.close();

const paths = result
  .filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count))
  .filter(({ url }) => url.startsWith("file:"))
  .map(({ url }) => relative(ROOT, fileURLToPath(url.replace(/\?.*/, ""))))
  .filter((path) => path.startsWith("src/"));
let sum = 0;
for (const path of paths) {
  const text = await readFile(ROOT + path, "utf8");
  const lines = text.trimEnd().split("\n").length;
  sum += lines;
  console.log(`${`${lines}`.padStart(6)} ${path}`);
}
console.log(`${paths.length} files, ${sum} lines`);
