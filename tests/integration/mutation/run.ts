import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import process from "node:process";

// Breaks the core of the product in many small ways, and counts how often a
// unit test notices. Breaks a sample of the lines, which SEED decides, or, with
// a word, all lines of the files whose path contains it:
//
//   npm test mutation
//   npm test mutation/limit
//
// survivors.md explains what no test can notice.

/** A sample has some lines of every 24. */
const LINES = 4, EVERY = 24;

/** Files whose tests need a database, run a command, or wait for seconds. */
const LEFT_OUT = /database_url|demo_tokens|postgres|watch/;

const seed = Number(process.env["SEED"] ?? 1);
const word = process.argv[2];
const mutate: string[] = [];
for (const folder of ["src/domain", "src/http", "src/stores"]) {
  for (const file of (await readdir(folder)).sort()) {
    const path = `${folder}/${file}`;
    if (!file.endsWith(".ts") || LEFT_OUT.test(file)) continue;
    if (word) {
      if (path.includes(word)) mutate.push(path);
      continue;
    }
    const lines = (await readFile(path, "utf8")).split("\n").length;
    const first = 1 + (seed + mutate.length) * 5 % EVERY - LINES;
    for (let from = first; from < lines; from += EVERY) {
      const to = from + LINES;
      if (to > 0) mutate.push(`${path}:${Math.max(from, 1)}-${to}`);
    }
  }
}

const { status } = spawnSync("npx", [
  ...["--prefix", "tests/integration/mutation", "stryker", "run"],
  "tests/integration/mutation/stryker.json",
  ...["--mutate", mutate.join(",")],
], {
  env: { ...process.env, RUNS: "500" },
  stdio: "inherit",
  shell: process.platform === "win32",
});
if (status === 0) console.log("passed the mutation score");
process.exitCode = status ?? 1;
