import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import process from "node:process";
import { BUN, DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { NODE_TEST } from "../../support/runs.ts";
import { startDatabaseServer } from "./server.ts";

// Runs the tests with the server at DATABASE_URL, or with a new one: every test
// on Node.js, and those that depend on the runtime's sockets on Deno and Bun.

const FOLDER = "tests/integration/postgres";

const PORTABLE = ["contract", "standby"]
  .map((name) => `./${FOLDER}/${name}_test.ts`);

const words = process.argv.slice(2);
const files = (await readdir(FOLDER))
  .filter((file) => file.endsWith("_test.ts"))
  .filter((file) => words.every((word) => file.includes(word)))
  .map((file) => `${FOLDER}/${file}`);

const commands = [[...NODE_TEST, "--test-concurrency=1", ...files]];
if (words.length === 0) {
  commands.push(
    [
      // deno.json excludes these tests, because they need a server.
      ...[...DENO, "test", "--allow-all", "--no-check", "--no-config"],
      ...["--node-modules-dir=none", "--no-lock"],
      ...[`--import-map=${OFFLINE_MAP}`, ...PORTABLE],
    ],
    [...BUN, "test", "--timeout=60000", ...PORTABLE],
  );
}

const url = process.env["DATABASE_URL"];
const server = url ? undefined : await startDatabaseServer();
const env = { ...process.env, DATABASE_URL: server?.url ?? url, NO_COLOR: "1" };
for (const [command, ...args] of commands) {
  const child = spawn(command!, args, { env, stdio: "inherit" });
  const status = await new Promise((resolve) => child.once("close", resolve));
  if (status !== 0) process.exitCode = 1;
}
await server?.remove();
