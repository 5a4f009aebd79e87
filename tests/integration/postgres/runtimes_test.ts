import { describe, test } from "node:test";
import { BUN, DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { runProgram } from "../../../tools/start_program.ts";

// Runs the tests, and the commands that they start, on Deno and Bun.

const FILE = "./tests/integration/postgres/postgres_test.ts";

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  Deno: [
    ...[...DENO, "test", "--allow-all", "--no-check", "--no-lock"],
    // deno.json excludes these tests.
    ...["--no-config", `--import-map=${OFFLINE_MAP}`],
    ...["--node-modules-dir=none", FILE],
  ],
  Bun: [...BUN, "test", "--timeout=120000", FILE],
};

describe("runtimes", { concurrency: true }, () => {
  for (const [name, [program, ...args]] of Object.entries(COMMANDS)) {
    test(`the PostgreSQL store passes its tests on ${name}`, async () => {
      const env = { IMPORT_MAP: OFFLINE_MAP, NODE_TEST_CONTEXT: undefined };
      await runProgram(program!, args, { env });
    });
  }
});
