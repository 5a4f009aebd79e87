import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { assertEquals } from "@std/assert";
import webpack from "webpack";
import { runProgram } from "../../support/program.ts";
import {
  createProject,
  linkPackages,
  PACKAGES,
} from "../../support/project.ts";

// Tests the packed package with tools that load ES modules in their own way.

const project = await createProject({ after });
const { folder: cwd } = project;
await linkPackages(project);
await cp("examples/testing/jest", cwd, { recursive: true });

for (
  const [name, type, env] of [
    ["esm", "module", { NODE_OPTIONS: "--experimental-vm-modules" }],
    ["commonjs", "commonjs", {}],
  ] as const
) {
  test(`the test in examples passes with Jest and ${name}`, async () => {
    await writeFile(join(cwd, "package.json"), JSON.stringify({ type }));
    const args = ["--config", `${name}.config.json`];
    await runProgram(join(PACKAGES, ".bin/jest"), args, { cwd, env });
  });
}

test("webpack bundles verify for the web without warnings", async () => {
  const entry = join(cwd, "verify.mjs");
  await writeFile(entry, 'export { verify } from "plant-store/verify";\n');
  const output = { path: join(cwd, "bundle") };
  const stats = await new Promise<webpack.Stats | undefined>(
    (resolve, reject) =>
      webpack(
        { entry, output, mode: "production", target: "web" },
        (error, stats) => error ? reject(error) : resolve(stats),
      ),
  );
  const { warnings, errors } = stats!.toJson({
    all: false,
    warnings: true,
    errors: true,
  });
  assertEquals([warnings, errors], [[], []]);
});
