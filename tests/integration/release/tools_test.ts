import { cp, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { assertEquals, assertMatch } from "@std/assert";
import { runProgram, startProgram } from "../../../tools/start_program.ts";
import { makeFolder } from "../../support/files.ts";
import { createProject } from "../../support/project.ts";

// Uses the packed package with tools that have 300 packages, and with an old version of
// Node.js. package_test.ts checks each time what these read: the exports, and that no
// module for the web imports one of Node.js. esbuild never emits newer syntax.

const JEST = [
  "jest@30.5.2",
  "@babel/plugin-transform-modules-commonjs@7.29.14",
];

const { folder, filename } = await createProject({ after });

/** Runs commands in a shell. */
const run = (commands: string, cwd = folder, env = {}) =>
  runProgram("sh", ["-ec", commands], { cwd, env });

await run(`npm install --no-save ${JEST.join(" ")} webpack@5.112.2`);

for (const format of ["module", "commonjs"]) {
  test(`the test in examples passes with Jest and ${format} files`, async () => {
    await cp("examples/testing/jest", folder, { recursive: true });
    const env = { NODE_OPTIONS: "--experimental-vm-modules" };
    const jest = `npx jest --config ${format}.config.json`;
    const options = format === "module" ? env : {};
    await run(`npm pkg set type=${format}\n${jest}`, folder, options);
  });
}

test("the test in examples passes with Jest in a project of pnpm", async (t) => {
  const shop = await makeFolder(t);
  await cp("examples/testing/jest", shop, { recursive: true });
  const packages = [join(folder, filename), ...JEST].join(" ");
  await run(
    `npx --yes pnpm@10.34.9 add ${packages}
npx jest --config commonjs.config.json`,
    shop,
  );
});

test("webpack bundles verify for the web without warnings", async () => {
  const webpack = createRequire(join(folder, "index.js"))("webpack");
  const entry = join(folder, "verify.mjs");
  await writeFile(entry, 'export { verify } from "plant-store/verify";\n');
  const compiler = webpack({ entry, mode: "production", context: folder });
  const stats = await promisify(compiler.run.bind(compiler))();
  const problems = { all: false, errors: true, warnings: true };
  assertEquals(stats.toString(problems), "");
});

test("npx plant-store rejects an old version of Node.js in one line", async () => {
  const { ended } = startProgram("npx", [
    ...["--yes", "--package", "node@18"],
    ...["node", "node_modules/plant-store/dist/cli.js", "--version"],
  ], { cwd: folder });
  const { status, stdout, stderr } = await ended;
  assertEquals([status, stdout], [1, ""]);
  assertMatch(
    stderr.replace(/^npm warn .*\n/gm, ""),
    /^plant-store: Node\.js 20\.19\.2 or later is required, got 18.*\n$/,
  );
});
