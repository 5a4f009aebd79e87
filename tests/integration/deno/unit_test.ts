import { test } from "node:test";
import { DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { runTests } from "../../support/other_runtime.ts";

// Deno runs tests/contract, and tests/unit except tests/unit/node, as deno.json says.

test("the unit tests and the examples in docstrings pass on Deno", async () => {
  await runTests([
    ...[...DENO, "test", "--reporter=dot", "--allow-all", "--parallel"],
    ...[`--import-map=${OFFLINE_MAP}`, "--doc", "mod.ts", "src", "tests"],
  ], {
    summary: /^ok \| [1-9]\d{2,} passed.*/m,
    env: { IMPORT_MAP: OFFLINE_MAP },
  });
});
