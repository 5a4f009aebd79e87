import metadata from "../../../package.json" with { type: "json" };
import { BUN, DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { NODE_TEST, type Run, runAll } from "../../support/runs.ts";

// Runs the contract on every runtime.

/** The oldest version of Node.js that package.json allows, and newer ones. */
const VERSIONS = [metadata.engines.node.replace(">=", "")]
  .concat("22.23.3", "24.21.0", "26.10.0");

const CONTRACT = ["handler", "server", "shuffled"]
  .map((name) => `./tests/contract/${name}_test.ts`);

/** The contract on one runtime, which the suite verifies. */
function on(
  runtime: string,
  command: readonly string[],
  ...files: string[]
): Run {
  return {
    name: runtime,
    command: [...command, ...files],
    env: { RUNTIME: runtime, IMPORT_MAP: OFFLINE_MAP },
  };
}

const onNode = (version: string): Run =>
  on(
    `node@${version}`,
    ["npx", "--yes", "-p", `node@${version}`, "node", ...NODE_TEST.slice(1)],
    ...CONTRACT,
  );

await runAll([
  ...VERSIONS.map(onNode),
  on(
    "deno@2.9.6",
    [...DENO, "test", "--allow-all", `--import-map=${OFFLINE_MAP}`],
    ...CONTRACT,
  ),
  on("bun@1.4.5", [...BUN, "test"], ...CONTRACT),
  on("workerd", NODE_TEST, "tests/integration/runtimes/workerd_test.ts"),
]);
