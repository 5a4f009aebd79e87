import { DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { casesOf, summarize } from "../../contract/own.ts";
import { NODE_TEST, runAll } from "../../support/runs.ts";
import { EXAMPLES, HOST_CASES } from "./examples.ts";

// Runs the contract in every example, and the tests in examples/.

await runAll([
  {
    name: "the tests with a replaced network",
    command: [...NODE_TEST, "examples/network_test.ts"],
    lines: ["ℹ pass 2"],
  },
  {
    name: "the tests for metrics",
    command: [...NODE_TEST, "examples/metrics_test.ts"],
    lines: ["ℹ pass 2"],
  },
  {
    name: "the tests that replace fetch on Node.js",
    command: [
      ...NODE_TEST,
      ...["interceptors", "msw", "node", "openapi_fetch"].map((name) =>
        `examples/testing/${name}_test.ts`
      ),
    ],
    lines: ["ℹ pass 20"],
  },
  {
    name: "the tests that replace fetch in Vitest",
    command: [
      "examples/node_modules/.bin/vitest",
      ...["run", "--root", "examples/testing"],
    ],
    lines: ["Tests  4 passed (4)"],
  },
  {
    name: "the tests that replace fetch on Deno",
    command: [
      ...[...DENO, "test", "--node-modules-dir=none"],
      ...[`--import-map=${OFFLINE_MAP}`, "examples/testing/deno_test.ts"],
    ],
    lines: ["running 4 tests from ./examples/testing/deno_test.ts"],
  },
  {
    name: "the commands in the README",
    command: [...NODE_TEST, "tests/integration/examples/readme_test.ts"],
    lines: [`ℹ pass ${EXAMPLES.filter(({ command }) => command).length}`],
  },
  {
    name: "the contract in every example",
    command: [...NODE_TEST, "tests/integration/examples/contract_test.ts"],
    lines: EXAMPLES.map(({ file, runtime }) =>
      summarize(file, casesOf(file, HOST_CASES).length, runtime)
    ),
  },
]);
