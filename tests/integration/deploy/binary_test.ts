import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import plants from "../../../data/plants.json" with { type: "json" };
import { COMMANDS } from "../../../src/cli/commands.ts";
import { BUN, DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { makeFolder } from "../../support/files.ts";
import { runProgram, startProgramFor } from "../../support/program.ts";
import { list } from "../../support/send.ts";

test("a Bun binary serves the demo data, and then the user's files", async (t) => {
  const cwd = await makeFolder(t);
  const binary = join(cwd, "plant-store");
  await runProgram(BUN[0]!, [
    ...[...BUN.slice(1), "build", "--compile", resolve("src/cli/main.ts")],
    `--outfile=${binary}`,
  ]);
  /** Starts the binary and returns the plants for a token. */
  async function listWith(token: string): Promise<unknown> {
    const { until } = startProgramFor(t, binary, ["--port", "0"], { cwd });
    const [, url] = await until("stdout", /^Listening on (.*)\n/);
    return await (await list(url!, token)).json();
  }
  assertEquals(await listWith("demo-curator"), plants);

  const { stdout } = await runProgram(binary, ["init"], { cwd });
  await writeFile(join(cwd, "data/plants.json"), '[{ "name": "a" }]');
  assertEquals(await listWith(stdout.trim()), [{ name: "a" }]);
});

test("deno compile would embed every module and the demo data", async () => {
  const { stdout } = await runProgram(DENO[0]!, [
    ...[...DENO.slice(1), "info", "--json", "--node-modules-dir=none"],
    ...[`--import-map=${OFFLINE_MAP}`, "src/cli/main.ts"],
  ]);
  const { modules }: {
    modules: readonly { readonly specifier: string; readonly error?: string }[];
  } = JSON.parse(stdout);
  assertEquals(modules.filter(({ error }) => error !== undefined), []);
  const has = (name: string) =>
    modules.some(({ specifier }) => specifier.endsWith(name));
  for (const name of ["data/plants.json", "data/tokens.json"]) {
    assert(has(`/${name}`), name);
  }
  assert(COMMANDS.size > 5);
  for (const { load } of COMMANDS.values()) {
    const [, path] = /import\("\.\/(.+?\.ts)"\)/.exec(`${load}`)!;
    assert(has(`/src/cli/${path}`), path);
  }
});
