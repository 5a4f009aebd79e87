import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, statSync } from "node:fs";
import { mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { runFile } from "./support/run_file.ts";

// Runs tests on Node.js, and fails if none ran:
//
//   npm test                    the contract and unit tests
//   npm test target options     those whose path contains a word
//   npm test browser            a folder of tests/integration
//   npm test docs/lesson        a part of that folder
//   npm test deno bun browser   several folders

const INTEGRATION = "tests/integration";

/** The folders with unit tests, and the one whose tests do not run on Node.js. */
const UNIT_TESTS = ["tests/contract", "tests/unit"];
const OTHERS = /^tests\/unit\/deno\//;

/** Unit tests that mostly wait, and therefore start first. */
const WAITING =
  /\/(?:grade_command|npm_start|process|serve|server|signals|store|verify|watch)_test\.ts$/;

/** Unit tests that run in one process. */
const TOGETHER = /^tests\/unit\/(?!node\/)/;

/** The command that installs the packages of a folder, unless they are installed. */
function install(folder: string): readonly string[] {
  const [installed, locked] = ["node_modules/.package-lock", "package-lock"]
    .map((name) => `${folder}/${name}.json`)
    .map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return installed! > locked! ? [] : [`npm ci --prefix ${folder}`];
}

const BUILD = "npm run -s build";
/** Prepares both folders with tests in a browser. */
const prepareBrowser = () => [
  ...[...install("tests"), ...install("site"), BUILD],
  ...[`npx tsc -p ${INTEGRATION}/browser`, "npx tsc -p site"],
];

/** The commands that prepare folders of integration tests. */
const PREPARE: Readonly<Record<string, () => readonly string[]>> = {
  browser: prepareBrowser,
  deploy: () => [BUILD],
  fuzz: () => install("tests"),
  docs: () => [BUILD],
  examples: () => [
    ...[...install("tests"), ...install("bench")],
    "npx tsc -p examples",
  ],
  package: () => [...install("tests"), BUILD],
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

/** The results of all test files. */
const total = { pass: 0, fail: 0, skipped: 0 };

/** Runs test files, of which up to `concurrency` run at a time. */
async function run(
  files: readonly string[],
  concurrency: number,
): Promise<void> {
  const waiting = [...files];
  const runAll = async () => {
    for (let file; (file = waiting.shift());) await runFile(file, total);
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
  const together = others.filter((file) => TOGETHER.test(file));
  process.env["FILES"] = together.join(" ");
  const group = together.length > 0 ? ["tests/support/group.ts"] : [];
  const alone = others.filter((file) => !TOGETHER.test(file));
  await run([...waiting, ...group, ...alone], 6);
}

/** Installs, builds, and type-checks what folders of integration tests use. */
async function prepare(folders: ReadonlySet<string>): Promise<void> {
  // The link can be there before its target.
  if (!lstatSync("examples/node_modules", { throwIfNoEntry: false })) {
    const packages = resolve("tests/node_modules");
    await symlink(packages, "examples/node_modules", "junction");
  }
  const commands = [...folders].flatMap((name) => PREPARE[name]?.() ?? []);
  for (const command of new Set(commands)) {
    const options = { stdio: "inherit", shell: true } as const;
    const { status } = spawnSync(command, options);
    if (status !== 0) throw new Error(`${command} failed`);
  }
}

/** Finds the integration tests that an argument selects. */
async function findIntegrationTests(argument: string): Promise<string[]> {
  const folder = `${INTEGRATION}/${argument.split("/")[0]}`;
  if (!existsSync(folder)) return [];
  return (await findTests(folder))
    .filter((file) => file.startsWith(`${INTEGRATION}/${argument}`));
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

process.env["CLI"] = await bundleCommand();
const words: string[] = [], integration: string[] = [];
for (const argument of process.argv.slice(2)) {
  const files = await findIntegrationTests(argument);
  integration.push(...files);
  if (files.length === 0) words.push(argument);
}
const start = performance.now();
if (integration.length > 0) {
  await prepare(new Set(integration.map((file) => file.split("/")[2]!)));
  await run(integration, 4); // about half of their time is waiting
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
