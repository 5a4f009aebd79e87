import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { UsageError } from "../../../src/cli/options.ts";
import { SECTIONS } from "../../../src/verify/cases.ts";
import { listCases, PLANTS, USERS } from "../../../src/verify/verify.ts";
import { call } from "../../support/cli.ts";
import { startServer } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";
import { findPort, listen } from "../../support/port.ts";

type Context = { after(fn: () => unknown): void };

const isDeno = "Deno" in globalThis;

/** What Deno handles itself (docs/http-api.md, section 12). */
const DENO = [
  "size.headers",
  "coding.unsupported",
  "expect.other",
  "host.missing",
];

/** Starts the default server with the test data. */
async function startWithData(t: Context): Promise<string> {
  const folder = join(await makeFolder(t), "test-data");
  const { status, stdout } = await call(["verify", "--write-data", folder]);
  assertEquals(status, 0);
  assertMatch(
    stdout,
    /^Wrote .*plants\.json, .*, and .*users\.json\. Start your server/,
  );
  const plants = join(folder, "plants.json");
  const tokens = join(folder, "tokens.json");
  const args = ["--plants", plants, "--tokens", tokens];
  return (await startServer(t, args)).url;
}

/** Starts a server that always responds with `[]` and special characters. */
async function startAlways(t: Context): Promise<string> {
  const server = createServer((_, response) => {
    response.end(`[]<&"\u0001\u001b`);
  });
  return `http://127.0.0.1:${await listen(t, server)}`;
}

test("verify passes on the default server, except for what its runtime handles", async (t) => {
  const url = await startWithData(t);
  const { status, stdout, stderr } = await call(["verify", url]);
  const lines = stdout.split("\n");
  const core = listCases({ level: "core" }).length;
  const http = listCases().length - core;
  const failed = isDeno ? DENO : [];
  assertEquals(lines[0], `core  ${core} of ${core} test cases passed`);
  assertEquals(lines[1], `http  ${http - failed.length} of ${http}`);
  const ids = Array.from(
    stdout.matchAll(/^(\S+) {2}section/gm),
    ([, id]) => id,
  );
  assertEquals([ids, stderr, status], [failed, "", isDeno ? 1 : 0]);
  const json = await call(["verify", url, "--format", "json", "--level=core"]);
  const report = JSON.parse(json.stdout);
  assertEquals(report.levels, {
    core: { passed: core, failed: 0, skipped: 0 },
  });
  assertEquals([report.url, report.cases.length], [url, core]);
});

test("verify reports failures as text, JSON, and JUnit", async (t) => {
  const url = await startAlways(t);
  const only = ["--only", "limit.zero,limit.rejected.empty,list"];
  const args = ["verify", url, ...only];
  const text = await call(args);
  assertEquals(text.status, 1);
  assertMatch(
    text.stdout,
    /^core {4}0 of 3 test cases passed\n\nlist\.all {2}section 1: file:.*docs\/http-api\.md#1-resources\n {2}curl -i -H "Authorization: Bearer all" "http:\/\/127\.0\.0\.1:\d+\/plants"\n {2}body: expected \[.*\.\.\., got \[\]<&"\\u0001\\u001b\n\nlimit\.zero/,
  );
  assertMatch(
    text.stdout,
    /plants\?limit="\n {2}status: expected 400, got 200\n/,
  );
  assertMatch(
    text.stderr,
    /serve the files that this command creates: .* verify --write-data test-data\n$/,
  );

  const json = await call([...args, "--format", "json"]);
  const { levels, cases } = JSON.parse(json.stdout);
  assertEquals(levels, { core: { passed: 0, failed: 3, skipped: 0 } });
  assertEquals(Object.keys(cases[0]), [
    ...["id", "level", "section", "status", "request", "differences"],
  ]);

  const { stdout } = await call([...args, "--format", "junit"]);
  assertMatch(
    stdout,
    /<testsuite name="3\. Limit" tests="2" failures="2" skipped="0">\n<testcase name="limit\.zero" classname="plant-store\.core"><failure message="body: /,
  );
  assert(!/(?!\n)\p{Cc}|&(?!#\d+;)/u.test(stdout));
  assertEquals(
    stdout.match(/<(?!\/|\?)\w+/g)?.length,
    stdout.match(/<\/\w+/g)?.length,
  );
});

test("verify selects test cases", async () => {
  const ids = async (...args: readonly string[]) =>
    (await call(["verify", "--list", ...args])).stdout.trim().split("\n");
  assertEquals((await ids()).length, listCases().length);
  const core = await ids("--level", "core");
  assert(core.length > 90 && core.every((line) => line.startsWith("core")));
  assertEquals(await ids("--only", "list,every.vary"), [
    "core   1  list.all",
    "http   5  every.vary",
  ]);
});

test("verify exits with status 1 and one line if there is no HTTP response", async () => {
  const port = await findPort();
  await assertRejects(
    () => call(["verify", `http://127.0.0.1:${port}`]),
    Error,
    `http://127.0.0.1:${port}/: no response: `,
  );
});

for (
  const [args, message] of [
    [[], "missing argument URL"],
    [["ftp://h"], "URL must start with http:// or https://"],
    [["127.0.0.1:8000"], "URL must start with http:// or https://"],
    [["http://u:p@h"], "URL must not have credentials, a query, or a fragment"],
    [["http://h?"], "URL must not have credentials, a query, or a fragment"],
    [["http://h/#a"], "URL must not have credentials, a query, or a fragment"],
    [["http://h", "--only", "x"], '--only "x" selects no test cases'],
    [["http://h", "--only", "limit,x"], '--only "x" selects no test cases'],
    [["--list", "--level=core", "--only=cors"], '--only "cors" selects no'],
    [["http://h", "--only", ","], "--only must be a list of IDs"],
    [["http://h", "--timeout", "0"], "--timeout must be a number of seconds"],
    [["http://h", "--level", "x"], '--level must be core or http, got "x"'],
    [["http://h", "--format", "x"], "--format must be text, json, or junit"],
  ] as const
) {
  test(`verify rejects ${args.join(" ")}`, async () => {
    await assertRejects(() => call(["verify", ...args]), UsageError, message);
  });
}

test("verify --write-data writes three files and never replaces one", async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, "users.json"), "x");
  const args = ["verify", "--write-data", folder];
  await assertRejects(() => call(args), Error, "already exists");
  assertEquals(await readdir(folder), ["users.json"]);

  const other = join(folder, "other");
  await call(["verify", "--write-data", other]);
  const read = async (name: string) =>
    JSON.parse(await readFile(join(other, name), "utf8"));
  assertEquals(await read("plants.json"), PLANTS);
  assertEquals(await read("users.json"), USERS);
  assertEquals(Object.keys(await read("tokens.json")).length, USERS.length);
});

test("verify: the links to sections are right", async () => {
  const page = await readFile("docs/http-api.md", "utf8");
  const titles = Array.from(
    page.matchAll(/^## \d+\. (.*)$/gm),
    ([, title]) => title,
  );
  assertEquals(titles.slice(0, SECTIONS.length), [...SECTIONS]);
  const sections = new Set(listCases().map(({ section }) => section));
  assertEquals(sections.size, SECTIONS.length);
});
