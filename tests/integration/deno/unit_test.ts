import { test } from "node:test";
import { assertMatch } from "@std/assert";
import { DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { runTests } from "../../support/other_runtime.ts";

// Deno runs tests/contract, and tests/unit except tests/unit/node, as deno.json says.

test("the unit tests and the examples in docstrings pass on Deno", async () => {
  const { stdout } = await runTests([
    ...[...DENO, "test", "--allow-all", "--parallel"],
    ...[`--import-map=${OFFLINE_MAP}`, "--doc", "mod.ts", "src", "tests"],
  ], { IMPORT_MAP: OFFLINE_MAP });
  assertMatch(stdout, /^ok \| [1-9]\d{2,} passed/m);
});
