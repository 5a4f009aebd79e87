import { readdir } from "node:fs/promises";
import { test } from "node:test";
import { BUN } from "../../../tools/runtimes.ts";
import { PATIENCE, runTests } from "../../support/other_runtime.ts";

// Bun runs tests/contract and tests/unit, but not the folders cli, node, and deno.

test("the unit tests pass on Bun", async () => {
  const files: string[] = [];
  for (const folder of ["tests/contract", "tests/unit"]) {
    const names = (await readdir(folder, { recursive: true }))
      .filter((name) => /^(?!cli\/|node\/|deno\/).*_test\./.test(name));
    files.push(...names.map((name) => `./${folder}/${name}`));
  }
  const limit = `--timeout=${PATIENCE}`; // the default is 5 seconds
  await runTests([...BUN, "test", "--dots", limit, ...files], {
    summary: /^ *[1-9]\d{2,} pass$/m,
  });
});
