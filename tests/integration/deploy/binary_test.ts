import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import plants from "../../../data/plants.json" with { type: "json" };
import { BUN } from "../../../tools/runtimes.ts";
import { makeFolder } from "../../support/files.ts";
import { runProgram, startProgramFor } from "../../support/program.ts";
import { list } from "../../support/send.ts";

/** The options that docs/deploying.md passes. */
const NO_AUTOLOAD = ["dotenv", "bunfig"]
  .map((file) => `--no-compile-autoload-${file}`);

test("a Bun binary serves the demo data, and then the user's files", async (t) => {
  const cwd = await makeFolder(t);
  const binary = join(cwd, "plant-store");
  const [bun, ...args] = [...BUN, "build", "--compile", ...NO_AUTOLOAD];
  const source = resolve("src/cli/main.ts");
  await runProgram(bun!, [...args, source, `--outfile=${binary}`]);
  await writeFile(join(cwd, ".env"), "LOG=invalid");
  await writeFile(join(cwd, "bunfig.toml"), 'preload = ["./preload.ts"]');
  await writeFile(join(cwd, "preload.ts"), "process.exit(9);");
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
