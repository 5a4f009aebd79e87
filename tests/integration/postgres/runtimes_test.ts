import { describe, test } from "node:test";
import { BUN, DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { runProgram } from "../../../tools/start_program.ts";
import { IS_REHEARSAL } from "../../support/rehearsal.ts";

// Runs the tests, and the commands that they start, on Deno and Bun: those of sockets,
// TLS, timers, and text. A rehearsal runs all, whose SQL is the same on each runtime.

const FILE = "./tests/integration/postgres/postgres_test.ts";
const TESTS = IS_REHEARSAL
  ? "."
  : "^(an import stores|a restart|a database can be|load is|a connection that|a long list that)";

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  Deno: [
    ...[...DENO, "test", "--allow-all", "--no-check", "--no-lock"],
    // deno.json excludes these tests.
    ...["--no-config", `--import-map=${OFFLINE_MAP}`],
    ...["--node-modules-dir=none", `--filter=/${TESTS}/`, FILE],
  ],
  Bun: [
    ...BUN,
    "test",
    "--timeout=120000",
    `--test-name-pattern=${TESTS}`,
    FILE,
  ],
};

describe("runtimes", { concurrency: true }, () => {
  for (const [name, [program, ...args]] of Object.entries(COMMANDS)) {
    test(`the PostgreSQL store passes its tests on ${name}`, async () => {
      const env = { IMPORT_MAP: OFFLINE_MAP, NODE_TEST_CONTEXT: undefined };
      await runProgram(program!, args, { env });
    });
  }
});
