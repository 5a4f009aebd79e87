import metadata from "../../../package.json" with { type: "json" };
import { BUN, DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { casesOf, summarize } from "../../contract/own.ts";
import { NODE_TEST, type Run, runAll } from "../../support/runs.ts";

// Runs the contract on every runtime. A runtime fails unless it prints how many
// cases passed.

/** The oldest version of Node.js that package.json allows, and newer ones. */
const VERSIONS = [metadata.engines.node.replace(">=", "")]
  .concat("22.23.3", "24.21.0", "26.10.0");

const HANDLER = "the handler in process";
const WORKERD = "workerd over a socket";
const CONTRACT = [
  "tests/contract/handler_test.ts",
  "tests/contract/server_test.ts",
  "tests/contract/shuffled_test.ts",
];

/** The contract on one runtime. */
function on(
  runtime: string,
  services: readonly string[],
  ...command: readonly string[]
): Run {
  return {
    name: runtime,
    command,
    env: { RUNTIME: runtime, IMPORT_MAP: OFFLINE_MAP },
    lines: services.flatMap((name) =>
      [name, `${name}, shuffled`].map((title) =>
        summarize(title, casesOf(name).length, runtime)
      )
    ),
  };
}

const onNode = (version: string): Run =>
  on(
    `node@${version}`,
    [HANDLER, "node:http over a socket"],
    ...["npx", "--yes", "-p", `node@${version}`, "node"],
    ...[...NODE_TEST.slice(1), ...CONTRACT],
  );

await runAll([
  ...VERSIONS.map(onNode),
  on(
    "deno@2.9.6",
    [HANDLER, "Deno.serve over a socket"],
    ...[...DENO, "test", "--allow-all", `--import-map=${OFFLINE_MAP}`],
    ...CONTRACT,
  ),
  on(
    "bun@1.4.5",
    [HANDLER, "Bun.serve over a socket"],
    ...[...BUN, "test"],
    ...CONTRACT.map((file) => `./${file}`),
  ),
  {
    name: "workerd",
    command: [...NODE_TEST, "tests/integration/runtimes/workerd_test.ts"],
    env: { RUNTIME: "workerd" },
    lines: [summarize(WORKERD, casesOf(WORKERD).length, "workerd")],
  },
]);
