import { readFileSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assert } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { MODULES } from "../../../tools/manifests.ts";
import { DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { runProgram, startProgram } from "../../../tools/start_program.ts";
import { listFiles } from "../../../tools/markdown.ts";
import { makeFolder } from "../../support/files.ts";
import { writeGroup } from "../../support/group.ts";
import { runTests } from "../../support/other_runtime.ts";

// Deno runs tests/contract, and tests/unit except tests/unit/node: most of them in one
// isolate, because each takes a second. `deno task test` runs the same ones alone.

/** Tests of the contract that do not depend on the runtime: they find faults. */
const SAME = /\/(?:faults|generated)_test\.ts$/;

/** Tests that mostly wait, or start processes. */
const WAITING =
  /^tests\/unit\/(?:deno|server)\/|\/(?:grade_command|signals|watch)_test\.ts$/;

test("the unit tests pass on Deno", async (t) => {
  const files = listFiles().filter((file) =>
    /^tests\/(?:contract|unit\/(?!node\/)).*_test\.ts$/.test(file) &&
    !SAME.test(file)
  );
  const waiting = files.filter((file) => WAITING.test(file));
  const others = files.filter((file) => !WAITING.test(file));
  const group = await writeGroup(others, await makeFolder(t));
  await runTests([
    // `npm run check` checks the types, also of examples in docstrings.
    ...[...DENO, "test", "--no-check", "--reporter=dot", "--allow-all"],
    ...["--parallel", `--import-map=${OFFLINE_MAP}`, group, ...waiting],
  ], {
    summary: /^ok \| [1-9]\d{2,} passed.*/m,
    env: { IMPORT_MAP: OFFLINE_MAP },
  });
});

test("Deno downloads no driver of a database before one is used", async () => {
  const [program, ...args] = [
    ...[...DENO, "info", "--json", "--node-modules-dir=none"],
    ...[`--import-map=${OFFLINE_MAP}`, "src/cli/main.ts"],
  ];
  const { stdout } = await startProgram(program!, args).ended;
  const { npmPackages } = JSON.parse(stdout);
  const names = Object.values<{ name: string }>(npmPackages)
    .map(({ name }) => name); // and those of types
  assert(names.includes("valibot"));
  assert(!names.includes("pg"));
});

// After the release, the page does not need them.
const settings = Array.from(
  readFileSync("README.md", "utf8")
    .matchAll(/`("(?:links|imports)":[^`]+)`/g),
  ([, setting]) => setting,
).join();
const skip = settings === "";

test(
  "a project imports all modules from a clone, as README.md says",
  { skip },
  async (t) => {
    const folder = await makeFolder(t);
    const clone = join(folder, "plant-store"), project = join(folder, "shop");
    for (const path of ["mod.ts", "src", "data", "package.json"]) {
      await cp(path, join(clone, path), { recursive: true });
    }
    // JSR may be unreachable.
    const { imports } = JSON.parse(
      (await readFile(OFFLINE_MAP, "utf8")).replaceAll('"../', '"./'),
    );
    const offline = JSON.stringify({ ...config, imports });
    await writeFile(join(clone, "deno.json"), offline);

    await mkdir(project);
    await writeFile(join(project, "deno.json"), `{ ${settings} }`);
    const names = MODULES.map(([name]) => `import "${name}";`);
    await writeFile(join(project, "all.ts"), names.join("\n"));
    const [program, ...args] = [...DENO, "run", "--allow-all", "all.ts"];
    await runProgram(program!, args, { cwd: project });
  },
);
