import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { after, test, type TestContext } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { quote } from "../../../src/core/internal/quote.ts";
import { verify } from "../../../src/verify/verify.ts";
import { DENO } from "../../../tools/runtimes.ts";
import { call } from "../../support/cli.ts";
import { makeFolder } from "../../support/files.ts";
import { readDocument } from "../../../tools/markdown.ts";
import { listen } from "../../../tools/port.ts";
import { startProgram, startProgramFor } from "../../../tools/start_program.ts";
import { list } from "../../../tools/send.ts";

// Runs the code in examples/lesson, outside of the checkout, so that no packages are
// found. blocks_test.ts runs the commands of the tutorial, from which the folders of
// the steps are generated.

/** The commands to run a server and to run tests, as in the tutorial. */
const COMMANDS = {
  "Node.js": { serve: [process.execPath], test: [process.execPath, "--test"] },
  "Deno": { serve: [...DENO, "run", "-NRE"], test: [...DENO, "test", "-q"] },
} as const;
type Runtime = keyof typeof COMMANDS;

/** Contains what `verify --write-data` writes. */
const data = join(await makeFolder({ after }), "data");
await call(["verify", "--write-data", data]);

/** Copies a folder of the lesson. */
async function copy(t: TestContext, name: string): Promise<string> {
  const folder = join(await makeFolder(t), "student");
  await cp(join("examples/lesson", name), folder, { recursive: true });
  return folder;
}

/** Replaces a text in a file, which must contain it. */
async function edit(path: string, from: string, to: string): Promise<void> {
  const text = await readFile(path, "utf8");
  assert(text.includes(from), from);
  await writeFile(path, text.replace(from, () => to));
}

/** Starts the server in a folder. By default, it serves the files of this folder. */
function start(
  t: TestContext,
  runtime: Runtime,
  folder: string,
  { cwd = folder, port = 0 } = {},
) {
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
async function runTests(runtime: Runtime, cwd: string) {
  const [command, ...args] = COMMANDS[runtime].test;
  // The tests would report to this process.
  const env = { NODE_TEST_CONTEXT: undefined };
  const { ended } = startProgram(command!, args, { cwd, env });
  const { status, stdout, stderr } = await ended;
  return { status, output: stdout + stderr };
}

/** The symptoms in the list of mistakes in docs/teaching.md, in which `...` matches any text. */
const SYMPTOMS = Array.from(
  readDocument("docs/teaching.md").prose.matchAll(/^- `([^`]+)`/gm),
  ([, code]) =>
    new RegExp(`^${
      code!.replace(/[\\^$*+?()[\]{}|]/g, "\\$&")
        .replaceAll("...", ".*")
    }$`),
);

/** Checks that the list has each line. */
function checkLines(output: string): void {
  for (const line of output.trimEnd().split("\n")) {
    assert(SYMPTOMS.some((each) => each.test(line)), output);
  }
}

for (const path of ["README.md", "docs/index.md"]) {
  test(`${path} says how short the API can be, and what it passes`, async (t) => {
    const folder = await copy(t, "step-4");
    const code = await readFile(join(folder, "handler.mjs"), "utf8");
    const server = start(t, "Node.js", folder, { cwd: data });
    const args = ["verify", await server.origin(), "--level", "core"];
    const [score] = (await call(args)).stdout.match(/\d+ of \d+ test cases/)!;
    const lines = `${code.trimEnd().split("\n").length} lines`;
    const prose = readDocument(path).prose.replace(/\s+/g, " ");
    assert(prose.includes(lines), lines);
    if (path === "README.md") assert(prose.includes(score), score);
  });
}

for (const runtime of ["Node.js", "Deno"] as const) {
  test(`the finished code, as an async handler, passes its tests and the core test cases on ${runtime}`, async (t) => {
    for (const name of ["step-4", "exercise-2", "exercise-3"]) {
      const folder = await copy(t, name);
      await edit(join(folder, "handler.mjs"), "function h", "async function h");
      const { status, output } = await runTests(runtime, folder);
      assertEquals(status, 0, output);
      const server = start(t, runtime, folder, { cwd: data });
      const failed: string[] = [];
      let count = 0;
      const results = verify(await server.origin(), { level: "core" });
      for await (const { id, status } of results) {
        count++;
        if (status === "failed") failed.push(id);
      }
      assert(count > 60);
      assertEquals(failed, [], name);
    }
  });

  test(`mistakes that prevent the start print one line on ${runtime}`, async (t) => {
    const used = await listen(t, createServer());
    const right = await copy(t, "step-4");
    const typo = await copy(t, "step-4"), missing = await copy(t, "step-4");
    await edit(join(typo, "plants.json"), '"fern" },', '"fern" }');
    await rm(join(missing, "plants.json"));
    for (
      const [folder, port] of [[right, used], [typo, 0], [missing, 0]] as const
    ) {
      const { ended } = start(t, runtime, folder, { port });
      const { status, stdout, stderr } = await ended;
      assertEquals([status, stdout], [1, ""]);
      checkLines(stderr.replace(`:${used}\n`, ":8000\n"));
    }
  });

  for (
    const [from, to] of [
      ["plants.filter(", "plants.fitler("],
      ["return Response.json(visible", "Response.json(visible"],
    ] as const
  ) {
    test(`each request returns 500 and prints one line on ${runtime}: ${to}`, async (t) => {
      const folder = await copy(t, "step-4");
      await edit(join(folder, "handler.mjs"), from, to);
      const server = start(t, runtime, folder);
      const url = `${await server.origin()}/`;
      for (let count = 1; count <= 2; count++) {
        assertEquals((await list(url, "demo-florist")).status, 500);
      }
      checkLines((await server.until("stderr", /^.*\n.*\n$/))[0]);
    });
  }
}

/** Mistakes in the solutions that the tests must find. */
const MISTAKES = [
  ["exercise-2", "canSee(user, plant) &&", ""],
  ["exercise-3", 'ETag: `"${hash(JSON.stringify(list))}"`,', ""],
  ["exercise-3", " === headers.ETag", ""],
  ["exercise-3", "304, headers", "304"],
] as const;

for (const [name, from, to] of MISTAKES) {
  test(`the tests of ${name} fail with ${quote(to)} for ${quote(from)}`, async (t) => {
    const folder = await copy(t, name);
    await edit(join(folder, "handler.mjs"), from, to);
    const { status, output } = await runTests("Node.js", folder);
    assertEquals(status, 1, output);
    assertMatch(output, /AssertionError/);
  });
}
