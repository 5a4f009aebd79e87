import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { DENO } from "../../../tools/runtimes.ts";
import { type Case, CASES } from "../../contract/cases.ts";
import { writeContract } from "../../contract/stores.ts";
import { testContract } from "../../contract/suite.ts";
import { sendOverWire } from "../../contract/wire.ts";
import { makeFolder } from "../../support/files.ts";
import { readDocument } from "../../support/markdown.ts";
import { runProgram, startProgram } from "../../support/program.ts";
import { list } from "../../support/send.ts";

// Runs each step of docs/tutorial.md on Node.js and Deno. The last step passes
// the core of the contract: access, limits, and rejected requests.

const CORE = /^(?:access|limit|query|credentials|path\.missing)\./;
/** Repeated headers, and long values in messages. */
const OTHERS =
  /^credentials\.(?:bearer-first|good-first|twice)$|\.cut(?:-character)?$/;

/** Returns whether the tutorial implements a case. */
function isCore({ id, setup = "open" }: Case): boolean {
  return setup === "open" && CORE.test(id) && !OTHERS.test(id);
}

const { blocks } = readDocument("docs/tutorial.md");

/** The steps, and the number of plants that the florist can see in each. */
const STEPS: readonly (readonly [heading: string, plants: number])[] = [
  ["1. Route requests", 4],
  ["2. Authenticate users", 3],
  ["3. Validate input", 3],
  ["4. Test the handler", 3],
];

/** Creates the files of the first steps in a new folder. */
async function build(
  t: { after(fn: () => unknown): void },
  steps: number,
): Promise<string> {
  const folder = await makeFolder(t);
  const headings = STEPS.slice(0, steps).map(([heading]) => heading);
  for (const { comment, language, text, under } of blocks) {
    if (!headings.includes(under[1] ?? "")) continue;
    const [, file] = /^file: (.+)/.exec(comment ?? "") ?? [];
    if (file !== undefined) await writeFile(join(folder, file), text);
    if (language === "diff") {
      await writeFile(join(folder, "step.diff"), text);
      await runProgram("git", ["apply", "step.diff"], { cwd: folder });
    }
  }
  return folder;
}

const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  "Node.js": [process.execPath],
  Deno: [...DENO, "run", "-NRE"],
};

/** Starts the server with the command of the tutorial. */
async function start([command, ...args]: readonly string[], cwd: string) {
  const server = startProgram(command!, [...args, "server.mjs"], {
    cwd,
    env: { PORT: "0" },
  });
  const [, url] = await server.until("stdout", /^Listening on (.*)\n/);
  return {
    url: url!,
    async close() {
      server.kill("SIGKILL");
      await server.ended;
    },
  };
}

for (const [name, runtime] of Object.entries(RUNTIMES)) {
  for (const [index, [heading, plants]] of STEPS.entries()) {
    test(`tutorial: step ${heading} runs on ${name}`, async (t) => {
      const { url, close } = await start(runtime, await build(t, index + 1));
      t.after(close);
      const response = await list(url, "demo-florist");
      assertEquals((await response.json()).length, plants);
    });
  }

  testContract(`the tutorial's last step on ${name}`, async () => {
    const folder = await build({ after }, STEPS.length);
    await writeContract(folder);
    const { url, close } = await start(runtime, folder);
    const port = Number(new URL(url).port);
    return { send: (request) => sendOverWire(port, request), close };
  }, { cases: CASES.filter(isCore) });
}

test("tutorial: the code is formatted, and its tests pass on Deno", async (t) => {
  const cwd = await build(t, STEPS.length);
  const [command, ...args] = DENO;
  await runProgram(command!, [...args, "fmt", "--check"], { cwd });
  const { stdout } = await runProgram(command!, [...args, "test"], { cwd });
  assertMatch(stdout, /^ok \| 10 passed/m);
});
