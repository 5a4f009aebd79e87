import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { CASES, RULES, SECTIONS } from "../../../src/verify/cases.ts";
import { listCases, PLANTS, USERS } from "../../../src/verify/verify.ts";
import { call } from "../../support/cli.ts";
import { startServer } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";
import { findPort, listen } from "../../support/port.ts";

type Context = { after(fn: () => unknown): void };

/** What Deno handles itself (docs/http-api.md, section 12). */
const DENO = [
  "size.headers",
  "host.missing",
];

const ALL = listCases().length;
const CORE = listCases({ level: "core" }).length;

/** Starts the default server with the test data. */
async function startWithData(t: Context): Promise<string> {
  const folder = join(await makeFolder(t), "test-data");
  const { status, stdout } = await call(["verify", "--write-data", folder]);
  assertEquals(status, 0);
  assertMatch(stdout, /^Wrote .*plants\.json and .*tokens\.json\. Start your/);
  const files = ["plants", "tokens"]
    .map((name) => `--${name}=${join(folder, `${name}.json`)}`);
  return (await startServer(t, files)).url;
}

/** Starts a server that always responds with `[]` and special characters. */
async function startAlways(t: Context): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader("ETag", '"\x9b2J"').end('[{"name":"<&\\u001b\u0085"}]');
  });
  return `http://127.0.0.1:${await listen(t, server)}`;
}

test("verify passes on the default server, except for what its runtime handles", async (t) => {
  const url = await startWithData(t);
  const { status, stdout, stderr } = await call(["verify", url]);
  const [core, http] = stdout.split("\n");
  const failed = "Deno" in globalThis ? DENO : [];
  const count = ALL - CORE;
  assertEquals(core, `core  ${CORE} of ${CORE} test cases passed`);
  assertEquals(http, `http  ${count - failed.length} of ${count}`);
  const ids = Array.from(
    stdout.matchAll(/^([a-z][\w.-]+\.\S+) {2}/gm),
    ([, id]) => id,
  );
  assertEquals([ids, stderr, status], [failed, "", failed.length > 0 ? 1 : 0]);

  const skip = ["--skip", DENO.join(), "--skip", "conditional.later"];
  const skipped = await call(["verify", url, ...skip, "--format", "json"]);
  const report = JSON.parse(skipped.stdout);
  assertEquals([skipped.status, report.target], [0, url]);
  assertEquals(report.levels.http, {
    passed: count - 4,
    failed: 0,
    skipped: 4,
  });
  assertEquals(report.sections.length, SECTIONS.length);
});

test("verify reports failures as text, JSON, and JUnit, without control characters", async (t) => {
  const url = await startAlways(t);
  const only = ["--only", "list,limit.zero", "--only", "limit.rejected.empty"];
  const args = ["verify", url, ...only];
  const text = await call(args);
  assertEquals(text.status, 1);
  assertMatch(
    text.stdout,
    /^core {4}0 of 3 test cases passed\n\nlist\.all {2}A user with .* order\n {2}docs\/http-api\.md, section 1: Resources\n {2}curl -i -H "Authorization: Bearer test-all" "http:\/\/127\.0\.0\.1:\d+\/plants"\n {2}\[0\]\.name: expected "Monstera deliciosa", got "<&.*"\n\nlimit\.zero {2}/,
  );
  assertMatch(
    text.stdout,
    /plants\?limit="\n {2}status: expected 400, got 200\n/,
  );
  assertMatch(text.stderr, /creates: .* verify --write-data test-data\n$/);

  const json = await call([...args, "--format", "json"]);
  const { cases: [first], sections, levels } = JSON.parse(json.stdout);
  assertEquals(levels, { core: { passed: 0, failed: 3, skipped: 0 } });
  assertEquals(sections[1], {
    ...{ section: 3, title: "Limit", passed: 0, failed: 2, skipped: 0 },
  });
  assertEquals(Object.keys(first), [
    ...["id", "level", "section", "title", "status", "request", "response"],
    ...["differences", "duration"],
  ]);
  assertEquals(first.differences, [{
    location: "[0].name",
    expected: '"Monstera deliciosa"',
    actual: '"<&\\u001b\u0085"',
  }]);
  assertEquals(Object.keys(first.response), ["status", "headers", "body"]);

  const junit = (await call([...args, "--format", "junit"])).stdout;
  assertMatch(
    junit,
    /<testsuite name="3\. Limit" tests="2" failures="2" skipped="0" time="[\d.]+">\n<testcase name="limit\.zero: \?limit=0 returns an empty list" classname="plant-store\.core" time="[\d.]+"><failure message="length: /,
  );
  assertEquals(
    junit.match(/<(?!\/|\?)\w+/g)?.length,
    junit.match(/<\/\w+/g)?.length,
  );
  const later = await call(["verify", url, "--only", "conditional,every"]);
  for (const output of [text, json, { stdout: junit }, later]) {
    assert(!/(?!\n)\p{Cc}/u.test(output.stdout), JSON.stringify(output.stdout));
  }
  // Each rule lists all wrong responses once.
  assertMatch(
    later.stdout,
    /every\.vary [^]*: expected "?Authorization"?, got none \(list\.all and \d+ others\)\n/,
  );

  const bail = await call([...args, "--bail", "--format", "json"]);
  assertEquals(JSON.parse(bail.stdout).levels.core, {
    passed: 0,
    failed: 1,
    skipped: 2,
  });
});

test("verify exits with status 2 and a report if it cannot run", async (t) => {
  const url = `http://127.0.0.1:${await findPort()}`;
  const { status, stdout, stderr } = await call(["verify", url]);
  assertEquals([status, stdout], [2, ""]);
  assertMatch(stderr, /^plant-store: no response: connect ECONNREFUSED/);
  for (const args of [[url], [], ["http://h", "--only", "x"]]) {
    const json = await call(["verify", ...args, "--format", "json"]);
    const { error, cases } = JSON.parse(json.stdout);
    assertEquals([json.status, json.stderr], [2, `plant-store: ${error}\n`]);
    assertEquals(cases, []);
    const junit = await call(["verify", ...args, "--format", "junit"]);
    assertMatch(
      junit.stdout,
      /errors="1">\n<testcase name="start"><error mess/,
    );
  }
  const server = createServer((_, response) => response.end("[]"));
  const port = await findPort();
  const timer = setTimeout(() => server.listen(port, "127.0.0.1"), 300);
  t.after(() => {
    clearTimeout(timer);
    server.close();
  });
  const late = `http://127.0.0.1:${port}`;
  const args = ["--wait", "20", "--only", "list"];
  assertEquals((await call(["verify", late, ...args])).status, 1);
});

test("verify --handlers checks the handlers of a class in isolation", async (t) => {
  const folder = await makeFolder(t);
  const good = await readFile("examples/lesson/step-4/handler.mjs", "utf8");
  const handlers = {
    "=loop": good.replace(
      "const limits =",
      'while (url.search === "?limit=0");\n$&',
    ),
    exit: "export function handler() { process.exit(0); }",
    good: `console.log("noise");\n${good}`,
    syntax: "export function handler( {",
  };
  for (const [name, code] of Object.entries(handlers)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "handler.mjs"), code);
  }
  const args = ["verify", "--handlers", folder, "--timeout", "2"];
  const { status, stdout } = await call(args);
  const lines = stdout.split("\n").slice(0, -1);
  assertEquals([status, lines.length], [1, 4]);
  const [, passed] = /^=loop +(\d+) of .* {2}\?limit=0 returns an empty list$/
    .exec(lines[0]!)!;
  assertEquals(Number(passed), CORE - 1); // the loop ended with its request
  assertMatch(lines[1]!, /^exit +0 of \d+ +no response: the handler ended/);
  assertEquals(lines[2], `good    ${CORE} of ${CORE}`);
  assertMatch(
    lines[3]!,
    /^syntax +0 of \d+ +no response: .*SyntaxError: [^:]*$/,
  );

  const only = ["--only", "access.roses", "--format", "csv"];
  const csv = await call([...args, ...only]);
  assertMatch(
    csv.stdout,
    /^"name","passed","total","first failure"\n"'=loop","1","1",""\n/,
  );
  const empty = await call(["verify", "--handlers", join(folder, "good")]);
  assertEquals([empty.status, empty.stdout], [2, ""]);
});

for (
  const [args, message] of [
    [["ftp://h"], "URL must start with http:// or https://"],
    [["http://u:p@h"], "URL must not have credentials, a query, or a fragment"],
    [["http://h?"], "URL must not have credentials, a query, or a fragment"],
    [
      ["http://h", "--skip", "limit,x"],
      '--skip selects no test cases with "x"',
    ],
    [["--list", "--level=core", "--only=cors"], "to list all IDs, run: "],
    [["http://h", "--tokens", "nope"], 'cannot read "nope"'],
    [["http://h", "--only", ","], "--only must be a list of IDs"],
    [["http://h", "--timeout", "0"], "--timeout must be a number of seconds"],
    [["http://h", "--header", "x"], "--header must be NAME:VALUE"],
    [["http://h", "--format", "csv"], "--format must be text or json or junit"],
  ] as const
) {
  test(`verify rejects ${args.join(" ")}`, async () => {
    const { status, stderr } = await call(["verify", ...args])
      .catch(({ name, message }) => (
        { status: name === "UsageError" ? 2 : 1, stderr: message }
      ));
    assertEquals([status, stderr.includes(message)], [2, true], stderr);
  });
}

test("verify --write-data writes two files and never replaces one", async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, "tokens.json"), "x");
  const args = ["verify", "--write-data", folder];
  await assertRejects(() => call(args), Error, "already exists");
  assertEquals(await readdir(folder), ["tokens.json"]);

  const other = join(folder, "other");
  await call(["verify", "--write-data", other]);
  const read = async (name: string) =>
    JSON.parse(await readFile(join(other, name), "utf8"));
  assertEquals(await read("plants.json"), PLANTS);
  assertEquals(await read("tokens.json"), USERS);
});

test("verify --list prints the ID, level, and title of each test case", async () => {
  const lines = (await call(["verify", "--list"])).stdout.trim().split("\n");
  assertEquals(new Set(lines.map((line) => line.split(/ {2,}/)[2])).size, ALL);
  assert(
    lines.every((line) => /^\S+ {2,}(?:core|http) {2}(?:\S+ ){3}/.test(line)),
  );
  const selected = await call(["verify", "--list", "--only", "every.vary"]);
  assertEquals(
    selected.stdout,
    "every.vary  http  Every list varies by Authorization\n",
  );
  assertEquals([...CASES, ...RULES].length, ALL);
});

test("verify: the sections are those of the page", async () => {
  const page = await readFile("docs/http-api.md", "utf8");
  const titles = Array.from(
    page.matchAll(/^## \d+\. (.*)$/gm),
    ([, title]) => title,
  );
  assertEquals(titles.slice(0, SECTIONS.length), [...SECTIONS]);
  const sections = new Set(listCases().map(({ section }) => section));
  assertEquals(sections.size, SECTIONS.length);
});
