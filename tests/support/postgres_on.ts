import { describe, test } from "node:test";
import { BUN, DENO, OFFLINE_MAP } from "../../tools/runtimes.ts";
import { runProgram } from "../../tools/start_program.ts";

const FILE = "./tests/integration/postgres/postgres_test.ts";

/** Runs those tests of the PostgreSQL store on Deno and Bun whose name has a match. */
export function testPostgresOnOthers(pattern: string): void {
  const commands: Readonly<Record<string, readonly string[]>> = {
    Deno: [
      ...[...DENO, "test", "--allow-all", "--no-check", "--no-lock"],
      // deno.json excludes these tests.
      ...["--no-config", `--import-map=${OFFLINE_MAP}`],
      ...["--node-modules-dir=none", `--filter=/${pattern}/`, FILE],
    ],
    Bun: [
      ...[...BUN, "test", "--timeout=120000"],
      ...[`--test-name-pattern=${pattern}`, FILE],
    ],
  };
  describe("runtimes", { concurrency: true }, () => {
    for (const [name, [program, ...args]] of Object.entries(commands)) {
      test(`the PostgreSQL store passes its tests on ${name}`, async () => {
        const env = { IMPORT_MAP: OFFLINE_MAP, NODE_TEST_CONTEXT: undefined };
        await runProgram(program!, args, { env });
      });
    }
  });
}
