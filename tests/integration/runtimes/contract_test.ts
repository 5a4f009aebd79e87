import { test } from "node:test";
import metadata from "../../../package.json" with { type: "json" };
import { runProgram } from "../../../tools/start_program.ts";

// Runs the contract and the tests of the server on each version of Node.js. The unit
// tests for Deno and Bun include the contract.

/** The oldest version of Node.js that package.json allows, and newer ones. */
const VERSIONS = [metadata.engines.node.replace(">=", "")]
  .concat("22.23.3", "24.21.0", "26.10.0");

for (const version of VERSIONS) {
  test(`the contract and the tests of the server pass on Node.js ${version}`, async () => {
    const name = `node@${version}`;
    const args = [
      ...["--yes", "-p", name, "node", "--import", "tsx"],
      ...["--test", "--test-concurrency=3"],
    ];
    // The suite verifies the runtime. These tests would report to this process.
    const env = { RUNTIME: name, NODE_TEST_CONTEXT: undefined };
    const isNewest = version === VERSIONS.at(-1);
    const files = [
      // Node.js 26 can wait forever for its own handles after all tests. The test of
      // the memory takes more CPU time than the others.
      ...isNewest
        ? ["--test-force-exit", "tests/integration/attacks/memory_test.ts"]
        : [],
      "tests/contract/handler_test.ts",
      "tests/contract/server_test.ts",
      "tests/unit/node/adapter_test.ts",
      "tests/unit/node/server_test.ts",
    ];
    await runProgram("npx", [...args, ...files], { env });
  });
}
