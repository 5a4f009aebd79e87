import { test } from "node:test";
import { runProgram } from "../../tools/start_program.ts";
import { writeGroup } from "./group.ts";

/** The contract, and the tests of the server. */
export const SERVER_TESTS: readonly string[] = [
  "tests/contract/handler_test.ts",
  "tests/contract/server_test.ts",
  "tests/unit/node/adapter_test.ts",
  "tests/unit/node/server_test.ts",
];

/** Tests that test files pass on a version of Node.js. */
export function testOnNode(
  version: string,
  files: readonly string[] = SERVER_TESTS,
): void {
  test(`the contract and the tests of the server pass on Node.js ${version}`, async () => {
    const name = `node@${version}`;
    const node = ["--yes", "-p", name, "node", "--import", "tsx"];
    // The suite verifies the runtime. These tests would report to this process.
    const env = { RUNTIME: name, NODE_TEST_CONTEXT: undefined };
    const end = ["--import", "./tests/support/end.mjs"];
    await runProgram("npx", [...node, ...end, await writeGroup(files)], {
      env,
    });
  });
}
