import { spawn } from "node:child_process";
import process from "node:process";
import { CASES } from "../contract/cases.ts";
import { casesOf, summarize } from "../contract/own.ts";
import { EXAMPLES, HOST_CASES } from "../examples/examples.ts";

// Runs the contract on every runtime, or in every example: `runtimes` and
// `examples`, then parts of the names of the runs that are wanted. A run that
// does not tell of the cases that it has to run fails, whatever it says else.

/** The table may grow; one that has lost cases is no proof. */
const AT_LEAST = 226;
if (CASES.length < AT_LEAST) {
  throw new Error(`the contract has ${CASES.length} cases of ${AT_LEAST}`);
}

interface Run {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What it has to print, once. */
  readonly lines: readonly string[];
}

const HANDLER = "the handler in process";
const WORKERD = "workerd over a socket";
const TEST = ["--import", "tsx", "--test", "--test-reporter=spec"];
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
    env: { RUNTIME: runtime, IMPORT_MAP: "tools/deno.offline.json" },
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
    ...[...TEST, ...CONTRACT],
  );

const RUNS: Readonly<Record<string, readonly Run[]>> = {
  runtimes: [
    ...["20.19.2", "22.23.3", "24.21.0", "26.10.0"].map(onNode),
    on(
      "deno@2.9.6",
      [HANDLER, "Deno.serve over a socket"],
      ...["npx", "--yes", "deno@2.9.6", "test", "--allow-all"],
      ...["--import-map=tools/deno.offline.json", ...CONTRACT],
    ),
    on(
      "bun@1.4.5",
      [HANDLER, "Bun.serve over a socket"],
      ...["npx", "--yes", "bun@1.4.5", "test"],
      ...CONTRACT.map((file) => `./${file}`),
    ),
    {
      name: "workerd",
      command: ["node", ...TEST, "tests/runtimes/workerd_test.ts"],
      env: { RUNTIME: "workerd" },
      lines: [WORKERD].map((name) =>
        summarize(name, casesOf(name).length, "workerd")
      ),
    },
  ],
  examples: [
    {
      name: "the tests on a network of their own",
      command: ["node", ...TEST, "examples/network_test.ts"],
      lines: ["ℹ pass 2"],
    },
    {
      name: "the tests of metrics",
      command: ["node", ...TEST, "examples/metrics_test.ts"],
      lines: ["ℹ pass 2"],
    },
    {
      name: "the tests that replace fetch on Node",
      command: [
        "node",
        ...TEST,
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
        ...["npx", "--yes", "deno@2.9.6", "test", "--node-modules-dir=none"],
        "--import-map=tools/deno.offline.json",
        "examples/testing/deno_test.ts",
      ],
      lines: ["running 4 tests from ./examples/testing/deno_test.ts"],
    },
    {
      name: "the commands in the README",
      command: ["node", ...TEST, "tests/examples/readme_test.ts"],
      lines: [`ℹ pass ${EXAMPLES.filter(({ command }) => command).length}`],
    },
    {
      name: "the contract in every example",
      command: ["node", ...TEST, "tests/examples/contract_test.ts"],
      lines: EXAMPLES.map(({ file, runtime }) =>
        summarize(file, casesOf(file, HOST_CASES).length, runtime)
      ),
    },
  ],
};

/** Runs one, and tells whether it did what it had to. */
async function run({ name, command, env, lines }: Run): Promise<boolean> {
  const start = performance.now();
  const child = spawn(command[0]!, command.slice(1), {
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => output += text);
  }
  const status = await new Promise((resolve) => child.once("close", resolve));
  const printed = output.split("\n").map((line) => line.trim());
  const missing = lines.filter((line) =>
    printed.filter((each) => each === line).length !== 1
  );
  const hasPassed = status === 0 && missing.length === 0 && lines.length > 0;
  if (!hasPassed) {
    console.error(output);
    for (const line of missing) console.error(`Not told once: ${line}`);
  }
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  console.log(`${hasPassed ? "passed" : "FAILED"} ${name} in ${seconds} s`);
  for (const line of lines) console.log(`  ${line}`);
  return hasPassed;
}

const [group = "", ...parts] = process.argv.slice(2);
const chosen = (RUNS[group] ?? []).filter(({ name }) =>
  parts.length === 0 || parts.some((part) => name.includes(part))
);
let hasPassed = chosen.length > 0;
// One after another: each is given the whole machine.
for (const each of chosen) hasPassed = await run(each) && hasPassed;
if (chosen.length === 0) console.error("Nothing ran");
process.exitCode = hasPassed ? 0 : 1;
