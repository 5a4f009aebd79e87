import { DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { NODE_TEST, runAll } from "../../support/runs.ts";

// Runs the contract in every example, and the tests in examples/.

await runAll([
  {
    name: "the examples, their README and their tests on Node.js",
    command: [
      ...[...NODE_TEST, "--test-concurrency=2"],
      ...["examples/network_test.ts", "examples/metrics_test.ts"],
      ...["interceptors", "msw", "node", "openapi_fetch", "retry"].map((name) =>
        `examples/testing/${name}_test.ts`
      ),
      "tests/integration/examples/readme_test.ts",
      "tests/integration/examples/contract_test.ts",
      "tests/integration/examples/verify_test.ts",
    ],
  },
  {
    name: "the tests that replace fetch in Vitest",
    command: [
      "examples/node_modules/.bin/vitest",
      ...["run", "--root", "examples/testing"],
    ],
  },
  {
    name: "the tests that replace fetch on Deno",
    command: [
      ...[...DENO, "test", "--node-modules-dir=none"],
      ...[`--import-map=${OFFLINE_MAP}`, "examples/testing/deno_test.ts"],
    ],
  },
]);
