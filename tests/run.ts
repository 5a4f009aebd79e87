import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import process from "node:process";

// Runs the test files on Node, and fails when no test ran: given no file names,
// `node --test` may run nothing and exit 0.

/** Other runtimes, and what needs tools that are not there. */
const OTHERS =
  /^(?:attacks|browser|cluster|deno|deploy|examples|package|peers|postgres|runtimes|tools)[/\\]/;

const files = (await readdir("tests", { recursive: true }))
  .filter((file) => file.endsWith("_test.ts") && !OTHERS.test(file))
  .map((file) => `tests/${file}`)
  .sort();
const wanted = process.argv.slice(2);
const chosen = files.filter((file) =>
  wanted.length === 0 || wanted.some((part) => file.includes(part))
);

const child = spawn(
  process.execPath,
  ["--import", "tsx", "--test", "--test-reporter=spec", ...chosen],
  { stdio: ["ignore", "pipe", "inherit"] },
);
let output = "";
child.stdout.on("data", (data: Uint8Array) => {
  process.stdout.write(data);
  output += data;
});
child.on("close", (status) => {
  const ran = Number(/^\S+ pass (\d+)$/m.exec(output)?.[1] ?? 0);
  if (chosen.length === 0 || ran === 0) console.error("No test ran");
  process.exitCode = ran === 0 ? 1 : status ?? 1;
});
