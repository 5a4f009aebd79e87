import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { verify } from "../../../src/verify/verify.ts";
import { quote } from "../../../src/domain/quote.ts";
import { list } from "../../support/send.ts";
import {
  copyStudent,
  DATA,
  edit,
  LESSON,
  runTests,
  RUNTIMES,
  startStudent,
} from "./student.ts";

// Starts the server in each folder of examples/lesson, and runs the tests in these
// folders. blocks_test.ts runs the commands of the tutorial, from which the folders
// of the steps are generated.

/** The names of the folders, such as `step-1`, and those with tests. */
const folders = (await readdir(LESSON)).filter((name) => /-\d$/.test(name));
const tested = folders.filter((name) =>
  existsSync(join(LESSON, name, "handler_test.mjs"))
);

for (const runtime of RUNTIMES) {
  test(`each lesson folder serves its own plants on ${runtime}`, async (t) => {
    for (const name of folders) {
      const server = startStudent(t, runtime, join(LESSON, name));
      const response = await list(`${await server.origin()}/`, "demo-florist");
      assertEquals(response.status, 200, name);
      const [first] = await response.json();
      assertEquals(first, { name: "Monstera deliciosa", tag: "vine" });
    }
  });

  test(`the finished code passes the core test cases on ${runtime}`, async (t) => {
    for (const name of ["step-4", "exercise-2", "exercise-3"]) {
      const folder = join(LESSON, name);
      const server = startStudent(t, runtime, folder, { cwd: DATA });
      const failed: string[] = [];
      let count = 0;
      const results = verify(await server.origin(), { level: "core" });
      for await (const { id, status } of results) {
        count++;
        if (status === "failed") failed.push(id);
      }
      assert(count > 90);
      assertEquals(failed, [], name);
    }
  });

  test(`the tests in the lesson folders pass on ${runtime}`, async () => {
    assertEquals(tested.length, 3);
    for (const name of tested) {
      const { status, output } = await runTests(runtime, join(LESSON, name));
      assertEquals(status, 0, output);
    }
  });
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
    const folder = await copyStudent(t, name);
    await edit(join(folder, "handler.mjs"), from, to);
    const { status, output } = await runTests("Node.js", folder);
    assertEquals(status, 1, output);
    assertMatch(output, /AssertionError/);
  });
}
