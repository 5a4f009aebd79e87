import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { listCases } from "../../../src/verify/verify.ts";
import { call } from "../../support/cli.ts";
import { makeFolder } from "../../support/files.ts";
import { listen } from "../../../tools/port.ts";
import { start, stopAfter } from "../../../tools/start_cli.ts";
import { runProgram } from "../../../tools/start_program.ts";
import { until } from "../../../tools/until.ts";

// Grades the folders of a class on Node.js, whose messages the patterns contain.

const { length: CORE } = listCases({ level: "core" });
const GOOD = await readFile("examples/lesson/step-4/handler.mjs", "utf8");
const PASSED = new RegExp(`^${CORE} of ${CORE}$`);

type Files = Readonly<Record<string, string>>;

/** Folders with `handler.mjs` or other files, and what their rows say. */
const CLASS: Readonly<Record<string, readonly [string | Files, RegExp]>> = {
  "=correct": [`console.log("noise");\n${GOOD}`, PASSED],
  "case": [
    { "Handler.mjs": GOOD },
    /^error .* is missing; found Handler\.mjs$/,
  ],
  "commonjs": [
    "module.exports.handler = () => {};",
    /^error {2}ReferenceError: module is not defined.* \(line 1\)$/,
  ],
  "exits": [
    "export function handler() { process.exit(0); }",
    /^error {2}the handler ended its process \(0\)$/,
  ],
  "export": [
    "export default () => {};",
    /^error {2}TypeError: handler\.mjs must export a function named handler$/,
  ],
  "hanging": [
    "export const handler = () => new Promise(() => {});",
    /^error {2}no response within 12 s$/,
  ],
  "messages": [
    `import { parentPort } from "node:worker_threads";
parentPort?.postMessage(null);
export function handler({ url }) {
  if (url.endsWith("=10")) setTimeout(() => { throw { toString: 1 }; });
  return Response.json([]);
}`,
    /^\d+ of \d+ /,
  ],
  "nested": [{ "my-store/handler.mjs": GOOD, "notes/notes.txt": "" }, PASSED],
  "nested-deep": [
    { "src/my-store/handler.mjs": GOOD },
    /^error .* is missing; found src$/,
  ],
  "nested-twice": [
    { "a/handler.mjs": GOOD, "b/handler.mjs": GOOD },
    /^error {2}2 folders or archives have a handler\.mjs; keep one, or grade this folder$/,
  ],
  "own": [
    `import { own } from "./own.mjs";\n${GOOD}`,
    /^error {2}.*Failed to resolve module specifier/,
  ],
  "prints": [
    GOOD.replace("{\n", '{\n  process.stdout.write("x".repeat(2_000_000));\n'),
    PASSED,
  ],
  "records": [
    GOOD.replace(
      "(entry.token ?? entry) === token && isValid(entry)",
      'typeof entry === "string" ? entry === token : entry.token === token && new Date(entry.expires) > new Date()',
    ),
    PASSED,
  ],
  "syntax": [
    "export function handler( {",
    /^error {2}SyntaxError: .* \(line 1\)$/,
  ],
  "text": [
    'export const handler = () => new Response("hello");',
    /^1 of \d+ {2}A user with access .* {2}body: expected .*, got "hello"$/,
  ],
  "throws": [
    'export function handler() { throw "text"; }',
    /^error {2}text$/,
  ],
  "wrong": [
    GOOD.replace("Date.now() <", "0 <"),
    /^\d+ of \d+ {2}An expired token .* {2}status: expected 401, got 200$/,
  ],
};

/** Creates the folders of students, and a file and a folder that belong to no student. */
async function makeClass(
  t: TestContext,
  names: readonly string[],
): Promise<string> {
  const folder = await makeFolder(t);
  await writeFile(join(folder, "notes.txt"), "");
  await mkdir(join(folder, "node_modules"));
  for (const name of names) {
    const [content] = CLASS[name]!;
    const files = typeof content === "string"
      ? { "handler.mjs": content }
      : content;
    await mkdir(join(folder, name));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name, path)), { recursive: true });
      await writeFile(join(folder, name, path), text);
    }
  }
  return folder;
}

/** Grades the students in a folder. Returns the report in a format. */
async function grade(
  folder: string,
  format: string,
  timeout = "300",
): Promise<string> {
  const args = ["grade", folder, "--format", format, "--timeout", timeout];
  const { stdout, ...ended } = await call(args);
  assertEquals(ended, {
    status: 1,
    stderr:
      "plant-store: ignored files that are not in a student's folder: notes.txt\n" +
      "plant-store: graded only the HTTP API; to grade the tutorial up to an exercise, add --exercise 1, 2, or 3\n",
  });
  return stdout.trim();
}

test("grade grades each folder of a class", async (t) => {
  const folder = await makeClass(t, Object.keys(CLASS));
  const rows = (await grade(folder, "text", "12")).split("\n")
    .map((line) => line.split(/ {2,}/));
  assertEquals(rows.map(([name]) => name), Object.keys(CLASS));
  for (const [name = "", ...cells] of rows) {
    assertMatch(cells.join("  "), CLASS[name]![1], name);
  }
});

test("grade reports the same as text and CSV", async (t) => {
  const folder = await makeClass(t, ["=correct", "syntax", "wrong"]);
  const [heading, ...rows] = (await grade(folder, "csv")).split("\n");
  assertEquals(
    heading,
    '"name","passed","total","first failure","difference","same as"',
  );
  const cells = rows.map((row) => JSON.parse(`[${row.replace("'=", "=")}]`));
  const lines = cells.map(([name, passed, total, ...others]) =>
    [name, passed === "error" ? passed : `${passed} of ${total}`, ...others]
      .filter((cell) => cell !== "").join("  ")
  );
  const text = await grade(folder, "text");
  assertEquals(text.replace(/ {2,}/g, "  ").split("\n"), lines);
});

const FILE = "examples/lesson/exercise-2/handler.mjs";
const SOLUTION = await readFile(FILE, "utf8");
const change = (from: string, to: string) => SOLUTION.replace(from, () => to);

/** What students hand in after exercise 2, and the row of each. lab_test.ts has others. */
const HOMEWORK: Readonly<Record<string, readonly [string, string]>> = {
  "1-nothing": [
    GOOD,
    "exercise 0 of 9  rest 96 of 96  ?tag=fern returns only ferns  length: expected 1, got 7",
  ],
  "2-filter": [
    change("plant.tag === tag)", "plant.tag == tag.toUpperCase())"),
    "exercise 6 of 9  rest 96 of 96  ?tag=fern returns only ferns",
  ],
  "3-leak": [
    change("canSee(user, plant) &&", "(canSee(user, plant) || tag) &&"),
    "exercise 8 of 9  rest 96 of 96  ?tag=flower returns no plant that the user cannot see",
  ],
  "3-limit": [
    change("visible.slice(", "tag ? visible : visible.slice("),
    "exercise 8 of 9  rest 96 of 96  The limit applies to the plants with the tag",
  ],
  "4-solution": [SOLUTION, "exercise 9 of 9  rest 96 of 96  same as 5-zip"],
  "5-zip": [SOLUTION, "exercise 9 of 9  rest 96 of 96  same as 4-solution"],
  "6-nested": [SOLUTION, "exercise 9 of 9  rest 96 of 96  same as 4-solution"],
  "8-options": [
    change(
      'request.method !== "GET"',
      'request.method !== "OPTIONS" && request.method !== "GET"',
    ),
    "exercise 9 of 9  rest 95 of 96  OPTIONS /plants returns 405",
  ],
  "8-typo": [
    change("plants.filter", "plants.fitler"),
    "exercise error  rest 64 of 96  A user with access to all plants sees them in catalog order  TypeError: plants.fitler is not a function (line 22)",
  ],
  "8-typo-in-branch": [
    change("plant.tag === tag)", "plant.tga.trim() === tag)"),
    "exercise error  rest 96 of 96  ?tag=fern returns only ferns  TypeError: ",
  ],
  "9-damaged": [
    "",
    "exercise error  rest error  cannot read my-store.zip: invalid zip data",
  ],
  "x-large": [
    SOLUTION + " ".repeat(1_000_001),
    "exercise error  rest error  cannot read my-store.zip: its handler.mjs is larger than 1 MB",
  ],
};

test("grade --exercise 2 tells the homework of students apart", async (t) => {
  const folder = await makeFolder(t);
  for (const [name, [code]] of Object.entries(HOMEWORK)) {
    const student = join(folder, name), store = join(student, "my-store");
    const path = /nested|zip|large/.test(name) ? store : student;
    await mkdir(path, { recursive: true });
    await writeFile(join(path, "handler.mjs"), code);
    if (!/zip|large|damaged/.test(name)) continue;
    const archive = join(student, "my-store.zip");
    await runProgram("python3", ["-m", "zipfile", "-c", archive, path]);
    const bytes = await readFile(archive);
    if (name.includes("damaged")) {
      await writeFile(archive, bytes.subarray(0, -9));
    }
    await rm(join(path, "handler.mjs"));
  }
  const args = ["grade", folder, "--exercise", "2", "--timeout", "300"];
  const { status, stdout, stderr } = await call(args);
  assertEquals([status, stderr], [1, ""]);
  const rows = stdout.trim().split("\n");
  assertEquals(rows.length, Object.keys(HOMEWORK).length);
  for (const [index, [name, [, row]]] of Object.entries(HOMEWORK).entries()) {
    const found = rows[index]!.replace(/ +/, "  ")
      .replace(/(exercise|rest) +/g, "$1 ");
    assert(found.startsWith(`${name}  ${row}`), found);
  }
});

for (
  const [name, expected] of [
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const
) {
  test(`${name} also ends the handler that grade runs`, async (t) => {
    const server = createServer();
    const connected = once(server, "connection");
    const port = await listen(t, server);
    const folder = await makeFolder(t);
    const code = `setInterval(() => {}, 1_000);
fetch("http://127.0.0.1:${port}/").catch(() => process.exit());
await new Promise(() => {});`;
    await writeFile(join(folder, "handler.mjs"), code);
    const args = ["grade", folder, "--timeout", "300"];
    const running = start(args, {}, ".", "src/cli/main.ts");
    stopAfter(t, running);
    const [socket] = await connected;
    running.kill(name);
    const { status } = await running.ended;
    assertEquals(status, expected);
    socket.resume();
    await until(() => socket.closed); // by the end of the handler's process
  });
}
