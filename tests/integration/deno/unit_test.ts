import { test } from "node:test";
import { assertEquals } from "@std/assert";
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
  const [program, ...args] = DENO;
  const map = `--import-map=${OFFLINE_MAP}`;
  const info = ["info", "--json", "--node-modules-dir=none", map];
  const { stdout } = await startProgram(program!, [
    ...args,
    ...info,
    "src/cli/main.ts",
  ]).ended;
  const packages = Object.values<{ name: string }>(
    JSON.parse(stdout).npmPackages,
  );
  const names = packages.map(({ name }) => name); // and those of types
  assertEquals(["valibot", "pg"].map((name) => names.includes(name)), [
    true,
    false,
  ]);
});
