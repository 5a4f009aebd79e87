import { createServer } from "node:net";
import { cp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { makeFolder } from "../../support/files.ts";
import { readDocument } from "../../support/markdown.ts";
import { listen } from "../../support/port.ts";
import {
  copyLesson,
  edit,
  getOrigin,
  type Runtime,
  RUNTIMES,
  startStudent,
} from "./student.ts";

// A student's mistake prints one line, as in the table of docs/lesson.md, and a
// mistake in the handler doesn't stop the server.

const { prose } = readDocument("docs/lesson.md");
const { lesson } = await copyLesson({ after });

/** Creates a folder with the code of step 4. */
async function createStudent(t: TestContext): Promise<string> {
  const folder = join(await makeFolder(t), "student");
  await cp(join(lesson, "step-4"), folder, { recursive: true });
  return folder;
}

/** The first code in each row of the table, in which `...` matches any text. */
const ROWS = Array.from(
  prose.matchAll(/^\| [^|`]*`([^`]+)`/gm),
  ([, code]) => new RegExp(`^${code!.split("...").map(escape).join(".*")}\n$`),
);

/** Checks that one line was printed, and that the table has it. */
function checkLine(output: string): void {
  assertEquals(output.split("\n").length, 2, output);
  assert(ROWS.some((row) => row.test(output)), output);
}

/** Starts a server with a mistake and returns what it prints before it exits. */
async function fail(
  t: TestContext,
  runtime: Runtime,
  folder: string,
  port?: number,
): Promise<string> {
  const options = port === undefined ? {} : { port };
  const { ended } = startStudent(t, runtime, folder, options);
  const { status, stdout, stderr } = await ended;
  assertEquals([status, stdout], [1, ""]);
  return stderr;
}

for (const runtime of RUNTIMES) {
  test(`a port in use prints one line on ${runtime}`, async (t) => {
    const port = await listen(t, createServer());
    const output = await fail(t, runtime, await createStudent(t), port);
    checkLine(output.replace(`:${port}\n`, ":8000\n"));
  });

  test(`invalid JSON prints one line on ${runtime}`, async (t) => {
    const folder = await createStudent(t);
    await edit(join(folder, "plants.json"), '"fern" },', '"fern" }');
    checkLine(await fail(t, runtime, folder));
  });

  test(`a missing file prints one line on ${runtime}`, async (t) => {
    const folder = await createStudent(t);
    await rm(join(folder, "plants.json"));
    checkLine(await fail(t, runtime, folder));
  });

  test(`a mistake in the handler returns 500 and prints one line on ${runtime}`, async (t) => {
    for (
      const [from, to] of [
        ["plants.filter(", "plants.fitler("],
        ["return Response.json(visible", "Response.json(visible"],
      ] as const
    ) {
      const folder = await createStudent(t);
      await edit(join(folder, "handler.mjs"), from, to);
      checkLine((await failRequests(t, runtime, folder))[0]!);
    }
  });

  test(`a handler can throw anything on ${runtime}`, async (t) => {
    for (
      const [body, line] of [
        ["throw undefined;", /^undefined$/],
        ['throw "a text";', /^a text$/],
        ["return Promise.reject(new Error('later'));", /^Error: later at /],
        ["return Response.error();", /^TypeError: .*immutable/],
        [
          "return Response.json(null, { status: 304 });",
          /^\w+: .* at .*handler\.mjs:1:/,
        ],
      ] as const
    ) {
      const folder = await createStudent(t);
      await writeFile(
        join(folder, "handler.mjs"),
        `export function handler() { ${body} }\n`,
      );
      for (const output of await failRequests(t, runtime, folder)) {
        assertMatch(output.trimEnd(), line);
      }
    }
  });
}

/** Sends two requests, which both fail, and returns what the server prints for each. */
async function failRequests(
  t: TestContext,
  runtime: Runtime,
  folder: string,
): Promise<readonly string[]> {
  const server = startStudent(t, runtime, folder);
  const origin = await getOrigin(server);
  for (let count = 1; count <= 2; count++) {
    const response = await fetch(`${origin}/plants`, {
      headers: { authorization: "Bearer demo-florist" },
    });
    assertEquals(response.status, 500);
    assertEquals((await response.json()).error, 500);
  }
  const [output] = await server.until("stderr", /^.*\n.*\n$/);
  return output.match(/.*\n/g)!;
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
