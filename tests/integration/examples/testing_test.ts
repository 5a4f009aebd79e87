import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { runProgram } from "../../../tools/start_program.ts";

// Runs the tests in examples, on the runners that docs/library.md names, and tests of
// the library in jsdom.

/** The tests of a folder, except those for Deno. */
async function findTests(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder))
    .filter((name) => name.endsWith("_test.ts") && name !== "deno_test.ts");
  return names.map((name) => `${folder}/${name}`);
}

// `npm run check` checks the types.
const [deno, ...args] = [
  ...[...DENO, "test", "--no-check", "--node-modules-dir=none"],
];

const COMMANDS: Readonly<Record<string, readonly [string, readonly string[]]>> =
  {
    "Node.js": [process.execPath, [
      ...["--import", "tsx", "--test"],
      ...await findTests("examples"),
      ...await findTests("examples/testing"),
    ]],
    "Vitest": [resolve("tests/node_modules/.bin/vitest"), [
      ...["run", "--root", "examples/testing"],
    ]],
    "Vitest and jsdom": [resolve("tests/node_modules/.bin/vitest"), [
      ...["run", "--environment", "jsdom", "--root", "."],
      ...["--dir", "tests/integration/examples"],
    ]],
    "Deno": [deno!, [
      ...args,
      ...[`--import-map=${OFFLINE_MAP}`, "examples/testing/deno_test.ts"],
    ]],
  };

for (const [name, [program, args]] of Object.entries(COMMANDS)) {
  test(`tests pass with ${name}`, async () => {
    // They would report to this process.
    const env = { NODE_TEST_CONTEXT: undefined };
    await runProgram(program, args, { env });
  });
}
