import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { after, type TestContext } from "node:test";
import { assert } from "@std/assert";
import { DENO } from "../../../tools/runtimes.ts";
import { call } from "../../support/cli.ts";
import type { Running } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";
import { startProgram, startProgramFor } from "../../support/program.ts";

/** A runtime that the tutorial supports. */
export type Runtime = "Node.js" | "Deno";

/** The commands to run a server and to run tests, as in the tutorial. */
const COMMANDS: Readonly<
  Record<Runtime, Readonly<Record<"serve" | "test", readonly string[]>>>
> = {
  "Node.js": { serve: [process.execPath], test: [process.execPath, "--test"] },
  Deno: { serve: [...DENO, "run", "-NRE"], test: [...DENO, "test", "-q"] },
};

/** The runtimes that the tutorial supports. */
export const RUNTIMES: readonly Runtime[] = ["Node.js", "Deno"];

// A folder outside of the checkout, so that no packages are found.
const base = await makeFolder({ after });

/** Contains a copy of the folders of examples/lesson. */
export const LESSON: string = join(base, "lesson");
await cp("examples/lesson", LESSON, { recursive: true });

/** Contains what `verify --write-data` writes. */
export const DATA: string = join(base, "data");
await call(["verify", "--write-data", DATA]);

/** Creates a copy of a folder of the lesson. */
export async function copyStudent(
  t: TestContext,
  name = "step-4",
): Promise<string> {
  const folder = join(await makeFolder(t), "student");
  await cp(join(LESSON, name), folder, { recursive: true });
  return folder;
}

/** Starts the server in a folder. By default, it serves the files of this folder. */
export function startStudent(
  t: TestContext,
  runtime: Runtime,
  folder: string,
  { cwd = folder, port = 0 }: { cwd?: string; port?: number } = {},
): Running & { origin(): Promise<string> } {
  const [command, ...args] = COMMANDS[runtime].serve;
  const all = [...args, join(folder, "server.mjs")];
  const env = { PORT: `${port}`, npm_config_loglevel: "error" }; // npx starts Deno
  const server = startProgramFor(t, command!, all, { cwd, env });
  return {
    ...server,
    async origin() {
      const listening = /^Listening on (.*)\/plants\n/;
      const [, origin] = await server.until("stdout", listening);
      return origin!;
    },
  };
}

/** Runs the tests in a folder and returns the exit status and the output. */
export async function runTests(
  runtime: Runtime,
  cwd: string,
): Promise<{ readonly status: number | null; readonly output: string }> {
  const [command, ...args] = COMMANDS[runtime].test;
  // The tests would report to this process.
  const env = { NODE_TEST_CONTEXT: undefined };
  const { ended } = startProgram(command!, args, { cwd, env });
  const { status, stdout, stderr } = await ended;
  return { status, output: stdout + stderr };
}

/** Replaces a text in a file, which must contain it. */
export async function edit(
  path: string,
  from: string,
  to: string,
): Promise<void> {
  const text = await readFile(path, "utf8");
  assert(text.includes(from), from);
  await writeFile(path, text.replace(from, () => to));
}
