import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import plants from "../../../data/plants.json" with { type: "json" };
import { BUN } from "../../../tools/runtimes.ts";
import { makeFolder } from "../../support/files.ts";
import { findPort } from "../../support/port.ts";
import { runProgram, startProgramFor } from "../../support/program.ts";
import { list, send } from "../../support/send.ts";

/** The options that docs/deploying.md passes. */
const NO_AUTOLOAD = ["dotenv", "bunfig"]
  .map((file) => `--no-compile-autoload-${file}`);

test("a Bun binary serves the demo data, and then the user's files", async (t) => {
  const cwd = await makeFolder(t);
  const binary = join(cwd, "plant-store");
  await runProgram(BUN[0]!, [
    ...[...BUN.slice(1), "build", "--compile", ...NO_AUTOLOAD],
    resolve("src/cli/main.ts"),
    `--outfile=${binary}`,
  ]);
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

test("Bun processes of src/cli/fetch.ts share a port, and one can stop", async (t) => {
  const port = await findPort();
  const env = { PORT: `${port}` };
  const [command, ...args] = [...BUN, "src/cli/fetch.ts"];
  const start = () => startProgramFor(t, command!, args, { env });
  const running = [start(), start()] as const;
  for (const { until } of running) await until("stdout", /Started .*server/);

  async function sendRequests(): Promise<void> {
    for (let round = 0; round < 10; round++) {
      assertEquals((await send({ port, path: "/healthz" })).status, 200);
    }
  }
  await sendRequests();
  running[0].kill("SIGTERM");
  await running[0].ended;
  await sendRequests();
});
