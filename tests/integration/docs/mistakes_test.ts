import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { readDocument } from "../../support/markdown.ts";
import { listen } from "../../support/port.ts";
import { list } from "../../support/send.ts";
import { copyStudent, edit, RUNTIMES, startStudent } from "./student.ts";

// A student's mistake prints one line, as in the list of docs/teaching.md, and a
// mistake in the handler doesn't stop the server.

const { prose } = readDocument("docs/teaching.md");
/** The code at the start of each item in the list, in which `...` matches any text. */
const SYMPTOMS = Array.from(
  prose.matchAll(/^- `([^`]+)`/gm),
  ([, code]) => new RegExp(`^${code!.split("...").map(escape).join(".*")}$`),
);

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Checks that the list has each line. */
function checkLines(output: string): void {
  for (const line of output.trimEnd().split("\n")) {
    assert(SYMPTOMS.some((each) => each.test(line)), output);
  }
}

for (const runtime of RUNTIMES) {
  test(`mistakes that prevent the start print one line on ${runtime}`, async (t) => {
    const used = await listen(t, createServer());
    const typo = await copyStudent(t), missing = await copyStudent(t);
    await edit(join(typo, "plants.json"), '"fern" },', '"fern" }');
    await rm(join(missing, "plants.json"));
    for (
      const [folder, port] of [
        [await copyStudent(t), used],
        [typo, 0],
        [missing, 0],
      ] as const
    ) {
      const { ended } = startStudent(t, runtime, folder, { port });
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
      const folder = await copyStudent(t);
      await edit(join(folder, "handler.mjs"), from, to);
      const server = startStudent(t, runtime, folder);
      const url = `${await server.origin()}/`;
      for (let count = 1; count <= 2; count++) {
        assertEquals((await list(url, "demo-florist")).status, 500);
      }
      checkLines((await server.until("stderr", /^.*\n.*\n$/))[0]);
    });
  }
}
