import { Buffer } from "node:buffer";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { listCases } from "../../../src/verify/verify.ts";
import { call } from "../../support/cli.ts";
import { makeFolder } from "../../support/files.ts";

const CORE = listCases({ level: "core" }).length;

const GOOD = await readFile("examples/lesson/step-4/handler.mjs", "utf8");

/** Grades students with these handlers, and returns the lines of the report. */
async function grade(
  t: TestContext,
  handlers: Readonly<Record<string, string>>,
  timeout: number,
): Promise<readonly string[]> {
  const folder = await makeFolder(t);
  await mkdir(join(folder, "empty"));
  for (const [name, code] of Object.entries(handlers)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "handler.mjs"), code);
  }
  const args = ["grade", folder, "--timeout", `${timeout}`];
  const { status, stdout } = await call(args);
  assertEquals(status, 1);
  return stdout.split("\n");
}

test("grade checks the handlers of a class in isolation", async (t) => {
  const lines = await grade(t, {
    exit: "export function handler() { process.exit(0); }",
    good: `console.log("noise");\n${GOOD}`,
    messages: `import { parentPort } from "node:worker_threads";
parentPort?.postMessage(null);
let count = 0;
export function handler() {
  if (count++ > 0) setTimeout(() => { throw { toString: 1 }; });
  return Response.json([]);
}`,
    syntax: "export function handler( {",
  }, 300);
  const [empty, exits, passes, others, fails] = lines;
  assertMatch(
    empty!,
    /^empty +error {2}handler\.mjs is missing; found nothing$/,
  );
  assertMatch(exits!, /^exit +error {2}the handler ended/);
  assertEquals(passes, `good      ${CORE} of ${CORE}`);
  assertMatch(others!, /^messages +\d+ of \d+ /);
  assertMatch(
    fails!,
    /^syntax +error {2}.*(?:SyntaxError|BuildMessage): /,
  );
});

test("grade ends an endless loop with its request", async (t) => {
  // It blocks the worker, but takes no CPU time.
  const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)";
  const loop = `while (url.search === "?limit=10") ${wait};\n$&`;
  const code = GOOD.replace("const limits =", loop);
  const [line] = await grade(t, { "=loop": code }, 25);
  const score = `${CORE - 1} of ${CORE}`;
  assertEquals(
    line,
    `=loop  ${score}  ?limit=10 returns all seven plants  no response within 25 s`,
  );
});

test("grade accepts the folder of one student", async () => {
  const folder = "examples/lesson/step-4";
  const { status, stdout } = await call(["grade", folder, "--timeout", "300"]);
  assertEquals([status, stdout], [0, `step-4  ${CORE} of ${CORE}\n`]);
});

test("grade does not believe the number of entries in an archive", async (t) => {
  const folder = await makeFolder(t);
  const archive = Buffer.alloc(98); // no entry, and the end of the directory
  archive.writeUInt32LE(0x06064b50, 0);
  archive.writeUInt32LE(4_000_000_000, 32); // entries
  archive.writeUInt32LE(0x07064b50, 56);
  archive.writeUInt32LE(0x06054b50, 76);
  archive.writeUInt16LE(1, 84);
  await writeFile(join(folder, "zip64.zip"), archive);
  const { stdout } = await call(["grade", folder]);
  assertMatch(stdout, /^zip64\.zip +error {2}.*: it is damaged$/m);
});

for (
  const [args, message] of [
    [["--format", "junit"], "--format must be text, json, or csv"],
    [["--exercise", "4"], "--exercise must be 1, 2, or 3"],
    [["data"], '"data" has no subfolders'],
    [[], 'cannot read "students": file not found'],
  ] as const
) {
  test(`grade rejects ${args.join(" ")}`, async () => {
    const { status, stderr } = await call(["grade", ...args]);
    assertEquals([status, stderr.includes(message)], [2, true], stderr);
  });
}
