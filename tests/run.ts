import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { BUN, DENO, OFFLINE_MAP } from "../tools/runtimes.ts";
import { NODE_TEST, run, runTests } from "./support/runs.ts";

// Runs tests, and fails if none ran:
//
//   npm test                    the unit tests on Node.js
//   npm test limit wire         those whose path contains a word
//   npm test deno               the unit tests on Deno; also "bun"
//   npm test browser            a folder of tests/integration
//   npm test postgres/standby   a part of that folder
//
// The folder of a unit test determines where it runs: tests/unit/node on Node.js,
// tests/unit/deno on Deno, tests/unit/cli on both, and tests/unit on Bun, too.

const INTEGRATION = "tests/integration";

/** The folders with the unit tests of a runtime. */
const UNIT_TESTS = {
  node: ["unit", "unit/cli", "unit/node", "fuzz"], // fuzz tests a server for Node.js
  deno: ["unit", "unit/cli", "unit/deno"],
  bun: ["unit"],
} as const;
type Runtime = keyof typeof UNIT_TESTS;

/** Folders whose packages a folder of tests needs in addition to its own. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  examples: [`${INTEGRATION}/runtimes`, "examples", "bench"],
};

/** The folders that need the machine for one test at a time. */
const SERIAL: ReadonlySet<string> = new Set(["attacks", "cluster", "deploy"]);

/** The folders whose tests run what `npm run build` wrote. */
const BUILT: ReadonlySet<string> = new Set(["deploy"]);

/** The command that runs test files on Node.js. */
function onNode(files: readonly string[], concurrency: number): string[] {
  return [...NODE_TEST, `--test-concurrency=${concurrency}`, ...files];
}

/** The test files in a folder. */
async function findTests(folder: string): Promise<string[]> {
  return (await readdir(folder))
    .filter((file) => /_test\.(?:ts|mjs)$/.test(file))
    .map((file) => `${folder}/${file}`)
    .sort();
}

/** The unit tests of a runtime. */
async function findUnitTests(runtime: Runtime): Promise<string[]> {
  const folders = ["contract", ...UNIT_TESTS[runtime]];
  const files = folders.map((folder) => findTests(`tests/${folder}`));
  return (await Promise.all(files)).flat();
}

/**
 * Bundles the command line, which the tests start hundreds of times: without
 * compiling, that takes a third of the time.
 */
async function bundleCommand(): Promise<string> {
  const outfile = "node_modules/.cache/plant-store/cli.js";
  await build({
    entryPoints: ["src/cli/main.ts"],
    outfile,
    bundle: true,
    packages: "external",
    alias: { "plant-store": "./mod.ts" },
    format: "esm",
    platform: "node",
    logLevel: "warning",
  });
  return outfile;
}

/** Runs the unit tests on a runtime. */
async function runUnitTests(
  runtime: Runtime,
  words: readonly string[],
): Promise<boolean> {
  const files = (await findUnitTests(runtime)).filter((file) =>
    words.length === 0 || words.some((word) => file.includes(word))
  );
  switch (runtime) {
    case "node":
      return await runTests(onNode(files, 6), { CLI: await bundleCommand() });
    case "deno":
      return await runTests([
        ...[...DENO, "test", "--allow-all", "--parallel"],
        ...[`--import-map=${OFFLINE_MAP}`, "--doc", "mod.ts", "src", ...files],
      ], { IMPORT_MAP: OFFLINE_MAP });
    case "bun":
      return await runTests([
        ...BUN,
        "test",
        ...files.map((file) => `./${file}`),
      ]);
  }
}

/** Runs a folder of integration tests, with the packages that it needs. */
async function runFolder(name: string, word = ""): Promise<boolean> {
  const folder = join(INTEGRATION, name);
  const packages = [folder, ...PACKAGES[name] ?? []].filter((path) =>
    existsSync(join(path, "package.json"))
  );
  for (const path of packages) {
    if (!(await run(["npm", "ci", "--prefix", path])).succeeded) return false;
    if (!existsSync(join(path, "tsconfig.json"))) continue;
    if (!(await run(["npx", "tsc", "-p", path])).succeeded) return false;
  }
  if (BUILT.has(name)) {
    if (!(await run(["npm", "run", "-s", "build"])).succeeded) return false;
  }
  const env = { CLI: await bundleCommand() };
  const program = join(folder, "run.ts");
  if (existsSync(program)) {
    const words = word === "" ? [] : [word];
    const command = [process.execPath, "--import", "tsx", program, ...words];
    return await runTests(command, env);
  }
  const files = (await findTests(folder)).filter((file) => file.includes(word));
  return await runTests(onNode(files, SERIAL.has(name) ? 1 : 2), env);
}

const words: string[] = [];
let succeeded = true;
for (const argument of process.argv.slice(2)) {
  const [name, word] = argument.split("/");
  if (Object.hasOwn(UNIT_TESTS, name!)) {
    succeeded = await runUnitTests(name as Runtime, word ? [word] : []) &&
      succeeded;
  } else if (existsSync(join(INTEGRATION, name!))) {
    succeeded = await runFolder(name!, word) && succeeded;
  } else {
    words.push(argument);
  }
}
if (words.length > 0 || process.argv.length === 2) {
  succeeded = await runUnitTests("node", words) && succeeded;
}
process.exitCode = succeeded ? 0 : 1;
