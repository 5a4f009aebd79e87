import { createServer } from "node:net";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { readDocument } from "../../support/markdown.ts";
import { listen } from "../../support/port.ts";
import { list } from "../../support/send.ts";
import {
  copyStudent,
  edit,
  type Runtime,
  RUNTIMES,
  startStudent,
} from "./student.ts";

// A student's mistake prints one line, as in the list of docs/teaching.md, and a
// mistake in the handler doesn't stop the server.

const { prose } = readDocument("docs/teaching.md");
/** The code at the start of each item in the list, in which `...` matches any text. */
const SYMPTOMS = Array.from(
  prose.matchAll(/^- `([^`]+)`/gm),
  ([, code]) => new RegExp(`^${code!.split("...").map(escape).join(".*")}\n$`),
);

/** Checks that one line was printed, and that the list has it. */
function checkLine(output: string): void {
  assertEquals(output.split("\n").length, 2, output);
  assert(SYMPTOMS.some((each) => each.test(output)), output);
}

/** Starts a server with a mistake and returns what it prints before it exits. */
async function fail(
  t: TestContext,
  runtime: Runtime,
  folder: string,
  port = 0,
): Promise<string> {
  const { ended } = startStudent(t, runtime, folder, { port });
  const { status, stdout, stderr } = await ended;
  assertEquals([status, stdout], [1, ""]);
  return stderr;
}

const START = "plants, users) {\n";

/** Mistakes in the handler, and the line for each; by default, the list has it. */
const MISTAKES:
  readonly (readonly [from: string, to: string, line?: RegExp])[] = [
    ["plants.filter(", "plants.fitler("],
    ["return Response.json(visible", "Response.json(visible"],
    ["return Response.json(visible", "return Response.json(visibel"],
    [START, "throw undefined;", /^undefined$/],
    [START, 'throw "a text";', /^a text$/],
    [
      START,
      "return Promise.reject(new Error('later'));",
      /^Error: later at /,
    ],
    [START, "return Response.error();", /^TypeError: .*immutable/],
    [
      START,
      "return Response.json(null, { status: 304 });",
      /^\w+: .* at .*handler\.mjs:\d+:/,
    ],
  ];

for (const runtime of RUNTIMES) {
  test(`a port in use prints one line on ${runtime}`, async (t) => {
    const port = await listen(t, createServer());
    const output = await fail(t, runtime, await copyStudent(t), port);
    checkLine(output.replace(`:${port}\n`, ":8000\n"));
  });

  test(`invalid JSON prints one line on ${runtime}`, async (t) => {
    const folder = await copyStudent(t);
    await edit(join(folder, "plants.json"), '"fern" },', '"fern" }');
    checkLine(await fail(t, runtime, folder));
  });

  test(`a missing file prints one line on ${runtime}`, async (t) => {
    const folder = await copyStudent(t);
    await rm(join(folder, "plants.json"));
    checkLine(await fail(t, runtime, folder));
  });

  for (const [from, to, line] of MISTAKES) {
    test(`each request returns 500 and prints one line on ${runtime}: ${to}`, async (t) => {
      const folder = await copyStudent(t);
      const change = from === START ? START + to : to;
      await edit(join(folder, "handler.mjs"), from, change);
      const server = startStudent(t, runtime, folder);
      const url = `${await server.origin()}/`;
      for (let count = 1; count <= 2; count++) {
        const response = await list(url, "demo-florist");
        assertEquals(response.status, 500);
        assertEquals((await response.json()).error, 500);
      }
      const [output] = await server.until("stderr", /^.*\n.*\n$/);
      for (const printed of output.match(/.*\n/g)!) {
        if (line) assertMatch(printed.trimEnd(), line);
        else checkLine(printed);
      }
    });
  }
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
