import { readFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { createHandler } from "../mod.ts";
import { serve } from "../src/server/serve.ts";
import { openFileStore } from "../src/stores/files.ts";

// Prints the files in src that run for one warm GET /plants?limit=3, and their
// lines, as V8 counts calls: over a socket on Node.js, and in process.
//
// node --import tsx bench/request_path.ts

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const HEADERS = { authorization: "Bearer demo-florist" };

const session = new Session();
session.connect();
await session.post("Profiler.enable");

/** Returns the files in src with functions that run during `task`. */
async function findFiles(task: () => Promise<unknown>): Promise<string[]> {
  for (let time = 0; time < 10; time++) await task(); // warms up
  await session.post("Profiler.startPreciseCoverage", {
    callCount: true,
    detailed: true,
  });
  await task();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count))
    .map(({ url }) => url.replace(/\?.*/, ""))
    .filter((url) => url.startsWith("file:"))
    .map((url) => relative(ROOT, fileURLToPath(url)))
    .filter((path) => path.startsWith("src/"));
}

async function report(
  name: string,
  task: () => Promise<unknown>,
): Promise<void> {
  const rows = await Promise.all(
    (await findFiles(task)).map(async (path) => {
      const text = await readFile(ROOT + path, "utf8");
      return { path, lines: text.trimEnd().split("\n").length };
    }),
  );
  const sum = rows.reduce((total, { lines }) => total + lines, 0);
  console.log(`${name}: ${rows.length} files, ${sum} lines`);
  for (const { path, lines } of rows.sort((a, b) => b.lines - a.lines)) {
    console.log(`${`${lines}`.padStart(6)} ${path}`);
  }
}

const store = await openFileStore({
  plants: `${ROOT}data/plants.json`,
  tokens: `${ROOT}data/tokens.json`,
  watch: false,
});
const server = await serve(store, { port: 0 });
const url = `${server.url}plants?limit=3`;
await report("One request to serve() on Node.js", async () => {
  const response = await fetch(url, { headers: HEADERS });
  await response.text();
});
await server.close();

const handler = createHandler(store);
await report("One call of createHandler()'s handler", async () => {
  const response = await handler(new Request(url, { headers: HEADERS }));
  await response.text();
});
await store.close();
session.disconnect();
