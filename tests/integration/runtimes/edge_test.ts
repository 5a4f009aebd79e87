import { createRequire } from "node:module";
import { build } from "esbuild";
import type { Setup } from "../../contract/all_cases.ts";
import { openHandler } from "../../contract/in_process.ts";
import { testContract } from "../../contract/suite.ts";

// Runs the contract in the runtime of middleware and edge routes in Next.js.

// `npm run check` does not need the packages of the tests.
const { EdgeVM } = createRequire(import.meta.url)("@edge-runtime/vm");

const { outputFiles: [output] } = await build({
  entryPoints: ["tests/integration/runtimes/worker.ts"],
  bundle: true,
  format: "iife",
  globalName: "worker",
  platform: "neutral",
  write: false,
});

/** A process as in Next.js, which throws if code reads a property of Node.js. */
const process = new Proxy({}, {
  get(_, name) {
    throw new Error(`process.${String(name)} is not supported`);
  },
});

testContract("an edge runtime", (setup: Setup) => {
  const vm = new EdgeVM({
    extend: (context: object) => Object.assign(context, { process }),
  });
  const worker = vm.evaluate(`${output!.text}\nworker.default`);
  return Promise.resolve(
    openHandler((request) => worker.fetch(request, { SETUP: setup })),
  );
});
