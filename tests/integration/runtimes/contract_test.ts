import { test } from "node:test";
import metadata from "../../../package.json" with { type: "json" };
import { runProgram } from "../../../tools/start_program.ts";
import { writeGroup } from "../../support/group.ts";
import { IS_REHEARSAL } from "../../support/rehearsal.ts";

// Runs the contract and the tests of the server on versions of Node.js. The unit tests
// for Deno and Bun include the contract.

/** The oldest version of Node.js that package.json allows, and the newest one. */
const VERSIONS = [metadata.engines.node.replace(">=", ""), "26.10.0"];
// What both of these support, those between them do.
if (IS_REHEARSAL) VERSIONS.push("22.23.3", "24.21.0");

const FILES = [
  "tests/contract/handler_test.ts",
  "tests/contract/server_test.ts",
  "tests/unit/node/adapter_test.ts",
  "tests/unit/node/server_test.ts",
  // What requests keep in memory changes with this repository, as the tests of attacks
  // find, or with the version of Node.js, which is fixed here.
  ...IS_REHEARSAL ? ["tests/integration/attacks/memory_test.ts"] : [],
];

for (const version of VERSIONS) {
  test(`the contract and the tests of the server pass on Node.js ${version}`, async () => {
    const name = `node@${version}`;
    const node = ["--yes", "-p", name, "node", "--import", "tsx"];
    // The suite verifies the runtime. These tests would report to this process.
    const env = { RUNTIME: name, NODE_TEST_CONTEXT: undefined };
    const isNewest = version === VERSIONS[1];
    // Node.js 26 can wait forever for its own handles after all tests.
    const options = isNewest ? ["--test-force-exit"] : [];
    const group = await writeGroup(FILES);
    await runProgram("npx", [...node, ...options, group], { env });
  });
}
