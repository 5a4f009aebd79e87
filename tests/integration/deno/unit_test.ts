import { test } from "node:test";
import { assertMatch } from "@std/assert";
import { DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { runProgram } from "../../support/program.ts";

// Deno runs tests/contract, and tests/unit except tests/unit/node, as deno.json says.

test("the unit tests and the examples in docstrings pass on Deno", async () => {
  const [deno, ...args] = [
    ...[...DENO, "test", "--allow-all", "--parallel"],
    ...[`--import-map=${OFFLINE_MAP}`, "--doc", "mod.ts", "src", "tests"],
  ];
  const env = { IMPORT_MAP: OFFLINE_MAP, NODE_TEST_CONTEXT: undefined };
  const { stdout } = await runProgram(deno!, args, { env });
  assertMatch(stdout, /^ok \| [1-9]\d{2,} passed/m);
});
