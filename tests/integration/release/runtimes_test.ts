import { SERVER_TESTS, testOnNode } from "../../support/on_node.ts";
import { testPostgresOnOthers } from "../../support/postgres_on.ts";

// Each time, the oldest and the newest version run, and what depends on the runtime.

for (const version of ["22.23.3", "24.21.0"]) testOnNode(version);

// What requests keep in memory changes with this repository, as the tests of attacks
// find, or with the version of Node.js, which is fixed here.
testOnNode("26.10.0", [
  ...SERVER_TESTS,
  "tests/integration/attacks/memory_test.ts",
]);

testPostgresOnOthers(".");
