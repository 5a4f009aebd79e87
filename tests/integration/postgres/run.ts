import { BUN, DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { NODE_TEST, runAll } from "../../support/runs.ts";

// Runs the tests on each runtime, with the commands that they start.

const FILE = "./tests/integration/postgres/postgres_test.ts";
const map = `--import-map=${OFFLINE_MAP}`;

await runAll([
  { name: "node", command: [...NODE_TEST, FILE] },
  {
    name: "deno",
    // deno.json excludes these tests.
    command: [
      ...[...DENO, "test", "--allow-all", "--no-check", "--no-config", map],
      ...["--no-lock", "--node-modules-dir=none", FILE],
    ],
    env: { IMPORT_MAP: OFFLINE_MAP },
  },
  { name: "bun", command: [...BUN, "test", "--timeout=120000", FILE] },
]);
