import { Buffer } from "node:buffer";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { listCases } from "../../../src/verify/verify.ts";
import { call } from "../../support/cli.ts";
import { makeFolder } from "../../support/files.ts";
import { start } from "../../../tools/start_cli.ts";
import { runProgram } from "../../../tools/start_program.ts";

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
export function handler({ url }) {
  if (url.endsWith("=10")) setTimeout(() => { throw { toString: 1 }; });
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

test("grade reads all handlers before they run, and no handler changes a row", async (t) => {
  const folder = await makeFolder(t);
  const good = await readFile("examples/lesson/step-4/handler.mjs", "utf8");
  const other = JSON.stringify(join(folder, "good", "handler.mjs"));
  const last = JSON.stringify(join(folder, "wrong", "handler.mjs"));
  const attempt = (code: string) => `
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import inspector from "node:inspector";
try { ${code} } catch {}
${good}`;
  const TOO_LARGE =
    "error  cannot read handler.mjs: it is not a file, or is larger than 1 MB";
  const rows: Readonly<Record<string, readonly [string, string | RegExp]>> = {
    copy: [good, `${CORE} of ${CORE}  same as good`],
    debugs: [
      attempt(`const session = new inspector.Session();
session.connectToMainThread();
session.post("Runtime.evaluate", { expression: "console.log(1)" });`),
      `${CORE} of ${CORE}`,
    ],
    good: [good, `${CORE} of ${CORE}  same as copy`],
    imports: ['export { handler } from "../good/handler.mjs";', /^error/],
    large: [`${good}//${" ".repeat(1_000_000)}`, TOO_LARGE],
    link: ["", TOO_LARGE],
    pipe: ["", TOO_LARGE],
    prints: [
      attempt('for (const fd of [1, 2]) fs.writeSync(fd, "row\\n");'),
      `${CORE} of ${CORE}`,
    ],
    reads: [
      `import { readFileSync } from "node:fs";\nreadFileSync(${other});\n${good}`,
      /^error/,
    ],
    starts: [
      attempt('spawnSync("echo", ["row"], { stdio: "inherit" });'),
      `${CORE} of ${CORE}`,
    ],
    writes: [
      attempt(`fs.writeFileSync(${last}, fs.readFileSync(${other}));`),
      `${CORE} of ${CORE}`,
    ],
    wrong: [good.replace("Date.now() <", "0 <"), /^\d+ of .* got 200$/],
  };
  for (const [name, [code]] of Object.entries(rows)) {
    const file = join(folder, name, "handler.mjs");
    await mkdir(join(folder, name));
    if (name === "link") await symlink(JSON.parse(other), file);
    else if (name === "pipe") await runProgram("mkfifo", [file]);
    else await writeFile(file, code);
  }
  const args = ["grade", folder];
  const { stdout } = await start(args, {}, ".", "src/cli/main.ts").ended;
  const lines = stdout.trim().split("\n");
  assertEquals(lines.length, Object.keys(rows).length, stdout);
  for (const [index, [name, [, expected]]] of Object.entries(rows).entries()) {
    const [, found, row = ""] = /^(\w+) +(.*)$/.exec(lines[index]!) ?? [];
    assertEquals(found, name);
    if (typeof expected === "string") {
      assertEquals(row.replace(/^error +/, "error  "), expected, name);
    } else assertMatch(row, expected, name);
  }
});

test("grade does not count loading as a part of the first response", async (t) => {
  const folder = await makeFolder(t);
  const good = await readFile("examples/lesson/step-4/handler.mjs", "utf8");
  const wait = (time: number) =>
    `await new Promise((resolve) => setTimeout(resolve, ${time}));\n`;
  const file = join(folder, "handler.mjs");
  await writeFile(file, wait(5_000) + good);
  const { status } = await call(["grade", folder, "--timeout", "4"]);
  assertEquals(status, 0);
  await writeFile(file, wait(1e9) + good);
  const { stdout } = await call(["grade", folder, "--timeout", "0.1"]);
  assertMatch(stdout, / error {2}handler\.mjs was not loaded within 1 s$/m);
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
