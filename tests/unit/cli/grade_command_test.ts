import { Buffer } from "node:buffer";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { listCases } from "../../../src/verify/verify.ts";
import { call } from "../../support/cli.ts";
import { makeFolder } from "../../support/files.ts";
import { start } from "../../../tools/start_cli.ts";
import { runProgram } from "../../../tools/start_program.ts";

const CORE = listCases({ level: "core" }).length;

const GOOD = await readFile("examples/lesson/step-4/handler.mjs", "utf8");

test("grade ends an endless loop with its request", async (t) => {
  // It blocks the worker, but takes no CPU time.
  const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)";
  const loop = `while (url.search === "?limit=10") ${wait};\n$&`;
  const code = GOOD.replace("const limits =", loop);
  const folder = await makeFolder(t);
  await mkdir(join(folder, "=loop"));
  await writeFile(join(folder, "=loop/handler.mjs"), code);
  const { stdout } = await call(["grade", folder, "--timeout", "12"]);
  const score = `${CORE - 1} of ${CORE}`;
  assertEquals(
    stdout,
    `=loop  ${score}  ?limit=10 returns all seven plants  no response within 12 s\n`,
  );
});

test("grade reads all handlers before they run, and no handler changes a row", async (t) => {
  const folder = await makeFolder(t);
  const good = await readFile("examples/lesson/step-4/handler.mjs", "utf8");
  const other = JSON.stringify(join(folder, "good", "handler.mjs"));
  const last = JSON.stringify(join(folder, "wrong", "handler.mjs"));
  const attempts = [
    `const session = new inspector.Session();
session.connectToMainThread();
session.post("Runtime.evaluate", { expression: "console.log(1)" });`,
    'for (const fd of [1, 2]) fs.writeSync(fd, "row\\n");',
    'spawnSync("echo", ["row"], { stdio: "inherit" });',
    `fs.writeFileSync(${last}, fs.readFileSync(${other}));`,
  ].map((code) => `try { ${code} } catch {}\n`).join("");
  const TOO_LARGE =
    "error  cannot read handler.mjs: it is not a file, or is larger than 1 MB";
  const rows: Readonly<Record<string, readonly [string, string | RegExp]>> = {
    copy: [good, `${CORE} of ${CORE}  same as good`],
    environment: [
      "export function handler() { throw new Error(process.env.SECRET); }",
      /^error(?!.*s3cret)/,
    ],
    good: [good, `${CORE} of ${CORE}  same as copy`],
    imports: ['export { handler } from "../good/handler.mjs";', /^error/],
    large: [`${good}//${" ".repeat(1_000_000)}`, TOO_LARGE],
    link: ["", TOO_LARGE],
    pipe: ["", TOO_LARGE],
    reads: [
      `import { readFileSync } from "node:fs";\nreadFileSync(${other});\n${good}`,
      /^error/,
    ],
    tries: [
      `import { spawnSync } from "node:child_process";
import fs from "node:fs";
import inspector from "node:inspector";
${attempts}${good}`,
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
  const { stdout } = await start(
    args,
    { SECRET: "s3cret" },
    ".",
    "src/cli/main.ts",
  ).ended;
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
  // No timer keeps the process running.
  const wait = (time: number) =>
    `import { setTimeout } from "node:timers";
await new Promise((resolve) => setTimeout(resolve, ${time}).unref());\n`;
  const file = join(folder, "handler.mjs");
  await mkdir(join(folder, "docs")); // as in a repository
  await writeFile(file, wait(5_000) + good);
  const { status } = await call(["grade", folder, "--timeout", "4"]);
  assertEquals(status, 0);
  await writeFile(file, wait(1e9) + good);
  const { stdout } = await call(["grade", folder, "--timeout", "0.1"]);
  assertMatch(stdout, / error {2}handler\.mjs was not loaded within 1 s$/m);
});

test("grade grades the files of Canvas, and fails if it ignores one", async (t) => {
  const folder = await makeFolder(t);
  const names = ["hopper_LATE_1_3_handler-1.mjs", "lovelace_1_2_handler.mjs"];
  for (const name of names) await writeFile(join(folder, name), GOOD);
  const graded = await call(["grade", folder]);
  assertEquals(graded.status, 0);
  const rows = graded.stdout.split("\n").map((row) => row.split(/ {2,}/));
  const score = `${CORE} of ${CORE}`;
  assertEquals(
    rows.slice(0, 2).map((row) => row.slice(0, 2)),
    names.map((name) => [name, score]),
  );
  await writeFile(join(folder, "turing_1_4_handler.txt"), GOOD);
  const { status, stderr } = await call(["grade", folder]);
  assertEquals(status, 1);
  assertMatch(stderr, /ignored files .*: turing_1_4_handler\.txt$/m);
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
