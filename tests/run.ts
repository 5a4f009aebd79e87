import { existsSync } from "node:fs";
import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { BUN, DENO, OFFLINE_MAP } from "../tools/runtimes.ts";
import { createQueue } from "./support/queue.ts";
import { NODE_TEST, run, runTests } from "./support/runs.ts";

// Runs tests, and fails if none ran:
//
//   npm test                    the unit tests on Node.js
//   npm test limit wire         those whose path contains a word
//   npm test deno               the unit tests on Deno; also "bun"
//   npm test browser            a folder of tests/integration
//   npm test postgres/deno      a part of that folder
//   npm test deno bun browser   several of these, two at a time
//
// The folder of a unit test determines where it runs: tests/unit/node on Node.js,
// tests/unit/deno on Deno, tests/unit/cli on both, and tests/unit on Bun, too.

const INTEGRATION = "tests/integration";

/** The folders with the unit tests of a runtime. */
const UNIT_TESTS = {
  node: ["unit", "unit/cli", "unit/node"],
  deno: ["unit", "unit/cli", "unit/deno"],
  bun: ["unit"],
} as const;
type Runtime = keyof typeof UNIT_TESTS;

/** Folders whose packages a folder of tests needs in addition to its own. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  examples: [`${INTEGRATION}/runtimes`, "examples", "bench"],
  site: ["site", `${INTEGRATION}/browser`],
};

/** The folders whose tests measure a server under load, and run alone. */
const SERIAL: ReadonlySet<string> = new Set(["attacks", "cluster", "deploy"]);

/** The folders whose tests use what `npm run build` wrote. */
const BUILT: ReadonlySet<string> = new Set(["deploy", "jsr", "package"]);

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
  const { outputFiles: [output] } = await build({
    entryPoints: ["src/cli/main.ts"],
    write: false,
    bundle: true,
    packages: "external",
    alias: { "plant-store": "./mod.ts" },
    format: "esm",
    platform: "node",
    logLevel: "warning",
  });
  const folder = "node_modules/.cache/plant-store";
  await mkdir(folder, { recursive: true });
  const path = `${folder}/cli.js`;
  // Another run may be reading the file.
  await writeFile(`${path}.${process.pid}`, output!.contents);
  await rename(`${path}.${process.pid}`, path);
  return path;
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

/** The folders with packages that a folder of integration tests needs. */
function findPackages(name: string): string[] {
  return [join(INTEGRATION, name), ...PACKAGES[name] ?? []]
    .filter((path) => existsSync(join(path, "package.json")));
}

/** Installs packages and builds what folders need, two at a time. */
async function prepare(folders: readonly string[]): Promise<boolean> {
  const commands = [...new Set(folders.flatMap(findPackages))]
    .map((path) => ["npm", "ci", "--prefix", path]);
  if (folders.some((name) => BUILT.has(name))) {
    commands.push(["npm", "run", "-s", "build"]);
  }
  const enqueue = createQueue(2);
  const results = await Promise.all(
    commands.map((command) => enqueue(() => run(command))),
  );
  return results.every(({ succeeded }) => succeeded);
}

/** Runs a folder of integration tests. */
async function runFolder(name: string, word = ""): Promise<boolean> {
  const folder = join(INTEGRATION, name);
  if (!process.env["PREPARED"] && !await prepare([name])) return false;
  for (const path of findPackages(name)) {
    if (!existsSync(join(path, "tsconfig.json"))) continue;
    if (!(await run(["npx", "tsc", "-p", path])).succeeded) return false;
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

/** Runs this program with arguments, and prints its output and how long it took. */
async function runJob(args: readonly string[]): Promise<boolean> {
  const start = performance.now();
  const { succeeded, output } = await run(
    [process.execPath, "--import", "tsx", "tests/run.ts", ...args],
    { PREPARED: "1" },
    () => {},
  );
  const seconds = Math.round((performance.now() - start) / 1000);
  const title = `== npm test ${args.join(" ")}`;
  const verb = succeeded ? "took" : "failed after";
  console.log(`${title}\n${output}${title} ${verb} ${seconds} s`);
  return succeeded;
}

const nameOf = (argument: string) => argument.split("/")[0]!;
const isRuntime = (argument: string) =>
  Object.hasOwn(UNIT_TESTS, nameOf(argument));
const isFolder = (argument: string) =>
  existsSync(join(INTEGRATION, nameOf(argument)));

/** Runs jobs, two at a time, and after them those that run alone. */
async function runJobs(jobs: readonly (readonly string[])[]): Promise<boolean> {
  if (!await prepare(jobs.flat().filter(isFolder).map(nameOf))) return false;
  const isSerial = ([first]: readonly string[]) => SERIAL.has(nameOf(first!));
  const enqueue = createQueue(2);
  const succeeded = await Promise.all(
    jobs.filter((job) => !isSerial(job)).map((job) =>
      enqueue(() => runJob(job))
    ),
  );
  for (const job of jobs.filter(isSerial)) succeeded.push(await runJob(job));
  return !succeeded.includes(false);
}

/** Runs the tests that the arguments select. Returns whether they passed. */
async function main(args: readonly string[]): Promise<boolean> {
  const selected = args.filter((each) => isRuntime(each) || isFolder(each));
  const words = args.filter((each) => !selected.includes(each));
  const [first] = selected;
  if (first === undefined) return await runUnitTests("node", words);
  const jobs = selected.map((each) => [each]);
  if (words.length > 0) jobs.push(words);
  if (jobs.length > 1) return await runJobs(jobs);
  const [name, word] = first.split("/");
  return isRuntime(first)
    ? await runUnitTests(name as Runtime, word ? [word] : [])
    : await runFolder(name!, word);
}

process.exitCode = await main(process.argv.slice(2)) ? 0 : 1;
