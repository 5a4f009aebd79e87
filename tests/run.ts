import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import { run as runFiles } from "node:test";
import { spec } from "node:test/reporters";
import { build } from "esbuild";
import { BUN, DENO, OFFLINE_MAP } from "../tools/runtimes.ts";

// Runs tests, and fails if none ran:
//
//   npm test                    the unit tests on Node.js
//   npm test limit wire         those whose path contains a word
//   npm test deno               the unit tests on Deno; also "bun"
//   npm test browser            a folder of tests/integration
//   npm test docs/tutorial      a part of that folder
//   npm test deno bun browser   several of these
//
// The folder of a unit test determines where it runs: tests/unit/node on Node.js,
// tests/unit/deno on Deno, tests/unit/cli on both, and tests/unit on Bun, too.

const INTEGRATION = "tests/integration";

/** The folders with the unit tests of a runtime. */
const UNIT_TESTS = {
  node: ["contract", "unit", "unit/cli", "unit/node"],
  deno: ["contract", "unit", "unit/cli", "unit/deno"],
  bun: ["contract", "unit"],
} as const;

/** Unit tests that mostly wait, and therefore start first. */
const WAITING = /\/(?:npm_start|process|serve|server|verify|watch)_test\.ts$/;

/** Unit tests that run in one process, as they do on Bun, too. */
const TOGETHER = /^tests\/unit\/[^/]+$/;

/** Integration tests that measure a server, and run alone. */
const ALONE = /\/attacks\//;

type Command = readonly string[];

/** The command that installs the packages of a folder, unless they are installed. */
function install(folder: string): readonly Command[] {
  const [installed, locked] = ["node_modules/.package-lock", "package-lock"]
    .map((name) =>
      statSync(`${folder}/${name}.json`, { throwIfNoEntry: false })
    );
  const isCurrent = installed && installed.mtimeMs > locked!.mtimeMs;
  return isCurrent ? [] : [["npm", "ci", "--prefix", folder]];
}

const checkTypes = (folder: string): Command => ["npx", "tsc", "-p", folder];
const BUILD: Command = ["npm", "run", "-s", "build"];

/** What prepares each folder of integration tests, after the packages in tests. */
const PREPARE: Readonly<Record<string, () => readonly Command[]>> = {
  browser: () => [checkTypes(`${INTEGRATION}/browser`)],
  deploy: () => [BUILD],
  examples: () => [...install("bench"), checkTypes("examples")],
  package: () => [BUILD],
  site: () => [...install("site"), checkTypes(`${INTEGRATION}/browser`)],
};

/** Runs a command. Returns whether it succeeded, and what it printed. */
async function run(
  [command, ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly succeeded: boolean; readonly output: string }> {
  const child = spawn(command!, args, {
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  let output = "";
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      process[stream].write(text);
      output += text;
    });
  }
  const status = await new Promise((resolve) => child.once("close", resolve));
  return { succeeded: status === 0, output };
}

/** The test files in a folder. */
async function findTests(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith("_test.ts"))
    .map((file) => `${folder}/${file}`).sort();
}

/** The unit tests of a runtime. */
async function findUnitTests(
  runtime: keyof typeof UNIT_TESTS,
): Promise<string[]> {
  const folders = UNIT_TESTS[runtime].map((name) => `tests/${name}`);
  return (await Promise.all(folders.map(findTests))).flat();
}

/** Runs test files on Node.js, each in a process. Returns whether they passed. */
async function runOnNode(
  files: readonly string[],
  concurrency: number,
): Promise<boolean> {
  let passed = 0, failed = 0;
  const tests = runFiles({ files: [...files], concurrency })
    .on("test:pass", () => passed++)
    .on("test:fail", () => failed++);
  for await (const text of tests.compose(new spec())) {
    process.stdout.write(text);
  }
  return passed > 0 && failed === 0;
}

/** Runs unit tests on Node.js. */
async function runUnitTests(files: readonly string[]): Promise<boolean> {
  const waiting = files.filter((file) => WAITING.test(file));
  const others = files.filter((file) => !WAITING.test(file));
  const together = others.filter((file) => TOGETHER.test(file));
  process.env["FILES"] = together.join(" ");
  return await runOnNode([
    ...waiting,
    ...together.length > 0 ? ["tests/support/group.ts"] : [],
    ...others.filter((file) => !TOGETHER.test(file)),
  ], 6);
}

/** Runs the unit tests on Deno or Bun. */
async function runOnOther(runtime: "deno" | "bun"): Promise<boolean> {
  const files = (await findUnitTests(runtime)).map((file) => `./${file}`);
  const [command, env] = runtime === "bun" ? [[...BUN, "test", ...files]] : [
    [
      ...[...DENO, "test", "--allow-all", "--parallel"],
      ...[`--import-map=${OFFLINE_MAP}`, "--doc", "mod.ts", "src", ...files],
    ],
    { IMPORT_MAP: OFFLINE_MAP },
  ];
  const { succeeded, output } = await run(command, env);
  return succeeded && /^ok \| [1-9]|^ *[1-9]\d* pass$/m.test(output);
}

/**
 * Bundles the command line, which the tests start hundreds of times: without
 * compiling, that takes a third of the time. Returns the path.
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
  const path = "node_modules/.cache/plant-store/cli.js";
  await mkdir("node_modules/.cache/plant-store", { recursive: true });
  // Another run may be reading the file.
  await writeFile(`${path}.${process.pid}`, output!.contents);
  await rename(`${path}.${process.pid}`, path);
  return path;
}

/** Installs, builds, and type-checks what folders of integration tests use. */
async function prepare(folders: ReadonlySet<string>): Promise<boolean> {
  if (!existsSync("examples/node_modules")) {
    const packages = resolve("tests/node_modules");
    await symlink(packages, "examples/node_modules", "junction");
  }
  const commands = [...folders].flatMap((name) => PREPARE[name]?.() ?? []);
  const all = [...install("tests"), ...commands].map((each) => each.join(" "));
  for (const command of new Set(all)) {
    if (!(await run(command.split(" "))).succeeded) return false;
  }
  return true;
}

/** Runs integration tests, two files at a time. */
async function runIntegrationTests(
  files: readonly string[],
): Promise<boolean> {
  const folders = new Set(files.map((file) => file.split("/")[2]!));
  if (!await prepare(folders)) return false;
  const together = files.filter((file) => !ALONE.test(file));
  const alone = files.filter((file) => ALONE.test(file));
  return (together.length === 0 || await runOnNode(together, 2)) &&
    (alone.length === 0 || await runOnNode(alone, 1));
}

/** Finds the integration tests that an argument selects. */
async function findIntegrationTests(argument: string): Promise<string[]> {
  const folder = `${INTEGRATION}/${argument.split("/")[0]}`;
  if (!existsSync(folder)) return [];
  return (await findTests(folder))
    .filter((file) => file.startsWith(`${INTEGRATION}/${argument}`));
}

/** Runs the tests that the arguments select. Returns whether they passed. */
async function main(args: readonly string[]): Promise<boolean> {
  process.env["CLI"] = await bundleCommand();
  const words: string[] = [], integration: string[] = [];
  const others = new Set<"deno" | "bun">();
  for (const argument of args) {
    const files = await findIntegrationTests(argument);
    integration.push(...files);
    if (argument === "deno" || argument === "bun") others.add(argument);
    else if (files.length === 0) words.push(argument);
  }
  const results = [await Promise.all([...others].map(runOnOther))].flat();
  if (integration.length > 0) {
    results.push(await runIntegrationTests(integration));
  }
  if (results.length === 0 || words.length > 0) {
    const files = (await findUnitTests("node")).filter((file) =>
      words.length === 0 || words.some((word) => file.includes(word))
    );
    results.push(await runUnitTests(files));
  }
  return !results.includes(false);
}

process.exitCode = await main(process.argv.slice(2)) ? 0 : 1;
