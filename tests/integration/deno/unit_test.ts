import { test } from "node:test";
import { assert } from "@std/assert";
import { DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { startProgram } from "../../../tools/start_program.ts";
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

test("Deno downloads no driver of a database before one is used", async () => {
  const [program, ...args] = [
    ...[...DENO, "info", "--json", "--node-modules-dir=none"],
    ...[`--import-map=${OFFLINE_MAP}`, "src/cli/main.ts"],
  ];
  const { stdout } = await startProgram(program!, args).ended;
  const { npmPackages } = JSON.parse(stdout);
  const names = Object.values<{ name: string }>(npmPackages)
    .map(({ name }) => name); // and those of types
  assert(names.includes("valibot"));
  assert(!names.includes("pg"));
});
