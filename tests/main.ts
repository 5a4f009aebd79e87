import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import process from "node:process";
import * as esbuild from "esbuild";
import { linkPackages } from "../tools/link_packages.ts";
import { writeGroup } from "./support/group.ts";
import { runFile } from "./support/run_file.ts";

// Runs tests on Node.js, and fails if none ran:
//
//   npm test                       the contract and unit tests
//   npm test unit/cli target       those whose path contains a word
//   npm test integration/browser   a folder of tests/integration
//   npm test docs/lesson deno bun  a file of a folder, and two folders

const INTEGRATION = "tests/integration";

/** The folders with unit tests, and the one whose tests do not run on Node.js. */
const UNIT_TESTS = ["tests/contract", "tests/unit"];
const OTHERS = /^tests\/unit\/deno\//;

/** Unit tests that run alone: most of them wait, and therefore start first. */
const WAITING =
  /\/(?:grade_command|linear|process|serve|server|signals|watch)_test\.ts$/;

/** Those of the others that run in a second process. */
const SECOND = /^tests\/(?:contract|unit\/node)\//;

/** Returns when a file changed, or 0 if it does not exist. */
const changedAt = (path: string) =>
  statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The command that installs the packages of a folder, unless they are installed. */
function install(folder: string): readonly string[] {
  const installed = changedAt(`${folder}/node_modules/.package-lock.json`);
  return installed > changedAt(`${folder}/package-lock.json`)
    ? []
    : [`npm ci --prefix ${folder}`];
}

/** The command that builds the package, unless `npm ci` or another run has built it. */
function build(): readonly string[] {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" });
  const latest = sources.map((name) => `src/${name}`)
    .concat("mod.ts", "package.json", "package-lock.json", "tools/build.ts");
  const built = changedAt("dist/chunks/handler_worker.js"); // the last file
  return latest.every((path) => changedAt(path) < built)
    ? []
    : ["npm run -s build"];
}

/** The command that checks the types in a folder; npx would take half a second more. */
const check = (folder: string) =>
  `node node_modules/typescript/bin/tsc -p ${folder}`;

/** Prepares both folders with tests in a browser. */
const prepareBrowser = () => [
  ...[...install("tests"), ...install("site"), ...build()],
  ...[check(`${INTEGRATION}/browser`), check("site")],
];

/** The commands that prepare folders of integration tests. */
const PREPARE: Readonly<Record<string, () => readonly string[]>> = {
  browser: prepareBrowser,
  deploy: build,
  fuzz: () => install("tests"),
  docs: build,
  examples: () => [
    ...install("tests"),
    check("examples"),
  ],
  package: () => [...install("tests"), ...build()],
  release: () => [...install("tests"), ...build()],
  repository: () => install("tests"),
  runtimes: () => install("tests"),
  site: () => [
    ...prepareBrowser(),
    `node --import tsx ${INTEGRATION}/site/build.ts`,
  ],
  tools: () => install("tests"),
};

/** The test files in a folder. */
async function findTests(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true });
  return files.filter((file) => file.endsWith("_test.ts"))
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`).sort();
}

/** Joins the files of a folder of short tests, because a process or a browser takes a second. */
async function join(files: readonly string[]): Promise<string[]> {
  const joined = [];
  for (const folder of new Set(files.map(dirname))) {
    const own = files.filter((file) => dirname(file) === folder);
    const isShort = /\/(?:browser|repository|tools)$/.test(folder);
    joined.push(...isShort && own.length > 1 ? [await writeGroup(own)] : own);
  }
  return joined;
}

/** The results of all test files. */
const total = { pass: 0, fail: 0, skipped: 0 };

/** Runs and removes test files, of which up to `concurrency` run at a time. */
async function run(files: string[], concurrency: number): Promise<void> {
  const runAll = async () => {
    for (let file; (file = files.shift());) await runFile(file, total);
  };
  await Promise.all(Array.from({ length: concurrency }, runAll));
}

/** Runs the unit tests whose path contains a word, if each word is in a path. */
async function runUnitTests(words: readonly string[]): Promise<void> {
  const all = (await Promise.all(UNIT_TESTS.map(findTests))).flat()
    .filter((file) => !OTHERS.test(file));
  const unknown = words.find((word) =>
    !all.some((file) => file.includes(word))
  );
  if (unknown !== undefined) {
    const names = all.map((file) => basename(file, "_test.ts")).sort();
    const folders = await readdir(INTEGRATION);
    console.error(`no test matches "${unknown}"; choose one of these words:
${[...new Set(names), ...folders.sort()].join(" ")}`);
    total.fail++;
    return;
  }
  const files = all.filter((file) =>
    words.length === 0 || words.some((word) => file.includes(word))
  );
  const waiting = files.filter((file) => WAITING.test(file));
  const others = files.filter((file) => !WAITING.test(file));
  const groups = [true, false].map((isSecond) =>
    others.filter((file) => SECOND.test(file) === isSecond)
  ).filter(({ length }) => length > 0);
  await run([
    ...waiting,
    ...await Promise.all(groups.map((each) => writeGroup(each))),
  ], 6);
}

/** The commands that have prepared folders. */
const done = new Set<string>();

/** Installs, builds, and type-checks what integration tests use. */
async function prepare(files: readonly string[]): Promise<void> {
  for (const folder of ["bench", "examples"]) await linkPackages(folder);
  const folders = new Set(files.map((file) => file.split("/")[2]!));
  for (
    const command of [...folders].flatMap((name) => PREPARE[name]?.() ?? [])
  ) {
    if (done.has(command)) continue;
    done.add(command);
    const child = spawn(command, { stdio: "inherit", shell: true });
    const [status] = await once(child, "close");
    if (status !== 0) throw new Error(`${command} failed`);
  }
}

/** Finds the integration tests that an argument selects, such as "integration/docs". */
async function findIntegrationTests(argument: string): Promise<string[]> {
  const path = argument.replace(/^(?:tests\/)?integration\//, "");
  const folder = `${INTEGRATION}/${path.split("/")[0]}`;
  if (!existsSync(folder)) return [];
  return (await findTests(folder))
    .filter((file) => file.startsWith(`${INTEGRATION}/${path}`));
}

/**
 * Bundles the command line, which the tests start hundreds of times: without
 * compiling, that takes a third of the time. Returns the path.
 */
async function bundleCommand(): Promise<string> {
  const { outputFiles: [output] } = await esbuild.build({
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

process.env["CLI"] = await bundleCommand();
const words: string[] = [], integration: string[] = [];
for (const argument of process.argv.slice(2)) {
  const files = await findIntegrationTests(argument);
  integration.push(...files);
  if (files.length === 0) words.push(argument);
}
const start = performance.now();
if (integration.length > 0) {
  const isSite = (file: string) => file.startsWith(`${INTEGRATION}/site/`);
  const site = integration.filter(isSite);
  const others = integration.filter((file) => !isSite(file));
  await prepare(others);
  const files = await join(others);
  // The site is built beside other tests, because the build uses one CPU.
  const isBuilt = prepare(site).then(() => files.unshift(...site));
  await Promise.all([run(files, 4), isBuilt]); // half of the time is waiting
  await run(files, 4);
}
if (integration.length === 0 || words.length > 0) await runUnitTests(words);
const seconds = ((performance.now() - start) / 1_000).toFixed(1);
const { pass, fail, skipped } = total;
console.log(`ℹ tests ${pass + fail + skipped}
ℹ pass ${pass}
ℹ fail ${fail}
ℹ skipped ${skipped}
ℹ duration ${seconds} s`);
process.exitCode = pass > 0 && fail === 0 ? 0 : 1;
