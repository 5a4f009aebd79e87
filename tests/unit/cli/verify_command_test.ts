import { readdir, readFile, writeFile } from "node:fs/promises";
import { exec } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { SPECIFICATION, toInfo } from "../../../src/verify/case.ts";
import { SECTIONS } from "../../../src/cli/verify/report.ts";
import { listCases, PLANTS } from "../../../src/verify/verify.ts";
import { serve } from "../../../src/server/serve.ts";
import { openFileStore } from "../../../src/stores/files.ts";
import { quoteForShell } from "../../../src/shared/shell.ts";
import { call } from "../../support/cli.ts";
import { COMMAND } from "../../../tools/start_cli.ts";
import { filesIn, makeFolder } from "../../support/files.ts";
import { findPort, listen } from "../../../tools/port.ts";

const CORE = listCases({ level: "core" }).length;
const PASSED = `${CORE}`.padStart(3);

test("verify passes on a server with the data that --write-data writes", async (t) => {
  const folder = join(await makeFolder(t), "test-data");
  const written = await call(["verify", "--write-data", folder]);
  assertMatch(
    written.stdout,
    /^Wrote .*plants\.json and .*tokens\.json\. Start/,
  );
  const files = filesIn(folder);
  assertEquals(JSON.parse(await readFile(files.plants, "utf8")), PLANTS);
  await using store = await openFileStore({ ...files, watch: false });
  await using server = await serve(store, { port: 0 });
  const args = ["verify", server.url, "--level", "core"];
  assertEquals(await call(args), {
    status: 0,
    stdout: `HTTP API 1.0\ncore  ${PASSED} of ${CORE} test cases passed\n`,
    stderr: "",
  });
});

test("verify --write-data never replaces a file", async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, "tokens.json"), "x");
  const { status, stderr } = await call(["verify", "--write-data", folder]);
  assertEquals([status, stderr.includes("already exists")], [1, true]);
  assertEquals(await readdir(folder), ["tokens.json"]);
});

test("verify reports failures as text, JSON, and JUnit, without control characters", async (t) => {
  const server = createServer((_, response) => {
    response.setHeader("ETag", '"\x9b2J"').end(
      `[{"name":"<&\\u001b\u0085"}${',{"name":"Rosa canina"}'.repeat(6)}]`,
    );
  });
  const url = `http://127.0.0.1:${await listen(t, server)}`;
  const report = async (...args: string[]) => {
    const { status, stdout } = await call(["verify", url, ...args]);
    assertEquals([status, /(?!\n)\p{Cc}/u.test(stdout)], [1, false], stdout);
    return stdout;
  };
  const only = ["--only", "list,limit.zero,limit.rejected.empty"];
  assertMatch(
    await report(...only, "--skip", "limit.rejected"),
    /^HTTP API 1\.0\ncore {4}0 of 3 test cases passed, 1 skipped\n\nlist\.all {2}A user with .* order\n {2}docs\/http-api\.md, section 1: Resources\n {2}curl -i -H "Authorization: Bearer test-all" "http:\/\/127\.0\.0\.1:\d+\/plants"\n {2}\[0\]\.name: expected "Monstera deliciosa", got "<&.*"\n\nlimit\.zero {2}.*\n.*\n.*\n {2}length: expected 0, got 7\n$/,
  );
  const json = await report(...only, "--bail", "--format", "json");
  const { target, specification, cases: [first] } = JSON.parse(json);
  assertEquals([target, specification], [`${url}/`, "1.0"]);
  assertEquals(Object.keys(first), [
    ...["id", "level", "section", "title", "status"],
    ...["request", "response", "differences", "duration"],
  ]);
  assertEquals(first.differences, [{
    location: "[0].name",
    expected: '"Monstera deliciosa"',
    actual: '"<&\\u001b\u0085"',
  }]);
  assertEquals(Object.keys(first.response), ["status", "headers", "body"]);
  const junit = await report(...only, "--format", "junit");
  assertMatch(
    junit,
    /<testsuite name="HTTP API 1\.0" tests="3" failures="3" errors="0" skipped="0">\n[^]*\n<testcase name="limit\.zero: \?limit=0 returns an empty list" classname="core\.Limit" time="[\d.]+"><failure message="length: /,
  );
  const count = (pattern: RegExp) => junit.match(pattern)?.length;
  assertEquals(count(/<(?!\/|\?)\w+/g), count(/<\/\w+/g));
  // Each rule lists all wrong responses once.
  assertMatch(
    await report("--only", "conditional,every"),
    /every\.vary [^]*: expected "?Authorization"?, got none \(list\.all and \d+ other test cases\)\n/,
  );
});

test("verify exits with status 2 and a report if it cannot run", async () => {
  const port = await findPort();
  const url = `http://127.0.0.1:${port}`;
  const text = await call(["verify", url]);
  const json = await call(["verify", url, "--format", "json"]);
  const { error, cases } = JSON.parse(json.stdout);
  const ended = { status: 2, stderr: `plant-store: ${error}\n` };
  assertEquals([text, cases], [{ ...ended, stdout: "" }, []]);
  assertEquals(json, { ...ended, stdout: json.stdout });
  const junit = await call(["verify", url, "--format", "junit"]);
  assertMatch(
    junit.stdout,
    /errors="1" skipped="0">\n<testcase name="start"><error mess/,
  );
});

for (
  const [status, body, found] of [
    [200, '[{"name":"Another plant"}]', "none of its plants"],
    [200, "[]", "none of its plants"],
    [401, '{"error":401,"message":"x"}', "401"],
  ] as const
) {
  test(`verify sends one request to a server with other data: ${status} ${body}`, async (t) => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      response.writeHead(status).end(body);
    });
    const url = `http://127.0.0.1:${await listen(t, server)}`;
    const ended = await call(["verify", url]);
    assertEquals([ended.status, ended.stdout, requests], [2, "", 1]);
    const message =
      `or it does not read Authorization: curl -i -H "Authorization: Bearer test-all" "${url}/plants" returned ${found}; to create the data, run: `;
    assert(ended.stderr.includes(message), ended.stderr);
  });
}

test("verify writes a report to a slow pipe before its message", async (t) => {
  let isFirst = true;
  const server = createServer((_, response) => {
    if (!isFirst) response.statusCode = 429;
    isFirst = false;
    response.end('[{"name":"Monstera deliciosa"}]');
  });
  const url = `http://127.0.0.1:${await listen(t, server)}`;
  const args = ["verify", url, "--format", "json"];
  const command = [process.execPath, ...COMMAND, ...args];
  const words = command.map(quoteForShell).join(" ");
  // The report is larger than a pipe, and the reader waits until everything is written.
  const output = await new Promise<string>((resolve, reject) =>
    exec(
      `${words} 2>&1 | (sleep 1; cat)`,
      { maxBuffer: 1e7 },
      (error, stdout) => error ? reject(error) : resolve(stdout),
    )
  );
  const lines = output.trimEnd().split("\n");
  assert(output.length > 65_536);
  assertEquals(
    lines.filter((line) => line.includes("plant-store:")),
    lines.slice(-1),
  );
  assertMatch(lines.at(-1)!, /^plant-store: the server returned 429/);
});

test("verify --list prints the ID, level, and title of each test case", async () => {
  const lines = (await call(["verify", "--list"])).stdout.trim().split("\n");
  const titles = new Set(lines.map((line) => line.split(/ {2,}/)[2]));
  assertEquals(titles.size, listCases().length);
  const pattern = /^\S+ {2,}(?:core|http) {2}(?:\S+ ){3}/;
  assert(lines.every((line) => pattern.test(line)));
});

test("verify --list --format json prints each test case as data", async () => {
  const list = ["verify", "--list", "--format", "json"];
  const { stdout } = await call(list);
  const { specification, cases } = JSON.parse(stdout);
  assertEquals(specification, SPECIFICATION);
  assertEquals(cases.map(toInfo), listCases());
  // docs/verify.md describes these properties.
  const keys = (values: readonly object[]) =>
    [...new Set(values.flatMap((each) => Object.keys(each)))].sort().join(" ");
  assertEquals(
    keys(cases),
    "expected id kind level mayBypassService previousRequest request rival section title",
  );
  const words = await call([...list, "--only", "credentials.longer"]);
  const [first, ...others] = JSON.parse(words.stdout).cases;
  assertEquals([first.id, others], ["credentials.longer", []]);
  assertEquals(first.expected.headers["www-authenticate"], {
    text: 'Bearer error="invalid_token"',
    pattern: String
      .raw`/^$|[ ,]error[ \t]*=[ \t]*"?invalid_token(?:[", \t]|$)/i`,
  });
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

test("verify: the IDs are those of the version on the page", async () => {
  const page = await readFile("docs/http-api.md", "utf8");
  assertEquals(/^Version (\S+)/m.exec(page)?.[1], SPECIFICATION);
  // If an ID changes, the first number of the version does too.
  const recorded = await readFile("tests/contract/ids.txt", "utf8");
  const [title, ...lines] = recorded.trim().split("\n");
  assertEquals(title, `HTTP API ${SPECIFICATION.split(".")[0]}`);
  const ids = listCases().map(({ id }) => id);
  assertEquals(ids.sort(), lines.join(" ").split(" ").sort());
});
