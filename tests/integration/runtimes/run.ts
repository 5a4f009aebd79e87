import metadata from "../../../package.json" with { type: "json" };
import { NODE_TEST, type Run, runAll } from "../../support/runs.ts";

// Runs the contract on workerd, and on each version of Node.js. The unit tests for
// Deno and Bun include it.

/** The oldest version of Node.js that package.json allows, and newer ones. */
const VERSIONS = [metadata.engines.node.replace(">=", "")]
  .concat("22.23.3", "24.21.0", "26.10.0");

const CONTRACT = ["handler", "server"]
  .map((name) => `./tests/contract/${name}_test.ts`);

await runAll([
  ...VERSIONS.map((version): Run => {
    const name = `node@${version}`;
    const [, ...options] = NODE_TEST;
    const command = ["npx", "--yes", "-p", name, "node", ...options];
    // The suite verifies the runtime.
    return { name, command: [...command, ...CONTRACT], env: { RUNTIME: name } };
  }),
  {
    name: "workerd",
    command: [...NODE_TEST, "tests/integration/runtimes/workerd_test.ts"],
    env: { RUNTIME: "workerd" },
  },
]);
