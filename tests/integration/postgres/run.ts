import { BUN, DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { NODE_TEST, runAll } from "../../support/runs.ts";

// Runs the tests on each runtime, which also runs the commands that they start.

const FILE = "./tests/integration/postgres/postgres_test.ts";

await runAll([
  { name: "node", command: [...NODE_TEST, FILE] },
  {
    name: "deno",
    command: [
      ...[...DENO, "test", "--allow-all", "--no-check", "--no-lock"],
      // deno.json excludes these tests.
      ...["--no-config", "--node-modules-dir=none"],
      ...[`--import-map=${OFFLINE_MAP}`, FILE],
    ],
    env: { IMPORT_MAP: OFFLINE_MAP },
  },
  { name: "bun", command: [...BUN, "test", "--timeout=120000", FILE] },
]);
