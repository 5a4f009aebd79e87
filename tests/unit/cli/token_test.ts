import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { test, type TestContext } from "node:test";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { UsageError } from "../../../src/cli/options.ts";
import { digest } from "../../contract/stores.ts";
import { call } from "../../support/cli.ts";
import { COMMAND } from "../../support/command.ts";
import { writeFiles } from "../../support/files.ts";
import { runProgram } from "../../support/program.ts";

const USERS = {
  $schema: "./tokens.schema.json",
  curator: {
    plants: "all",
    tokens: [{ sha256: digest("one"), created: "2026-01-01" }],
  },
  florist: { plants: { tags: ["flower"] }, tokens: [] },
};
const ID = digest("one").slice(0, 8);

/** Writes a tokens file, and returns functions to use it. */
async function prepare(t: TestContext, content = JSON.stringify(USERS)) {
  const { tokens: path } = await writeFiles(t, { tokens: content });
  return {
    path,
    /** Runs a command on the file. */
    call: (...args: string[]) => call(args, { TOKENS_FILE: path }),
    // deno-lint-ignore no-explicit-any
    read: async (): Promise<any> => JSON.parse(await readFile(path, "utf8")),
  };
}

test("token add prints the token, reports the change, and stores only a digest", async (t) => {
  const { path, call, read } = await prepare(t);
  const { status, stdout, stderr } = await call("token", "add", "florist");
  const notice = `plant-store: added a token for user "florist" to ${path}\n`;
  assertEquals([status, stderr], [0, notice]);
  assertMatch(stdout, /^ps_[A-Za-z0-9_-]{43}\n$/);
  const { florist, curator } = await read();
  assertEquals(florist.tokens.length, 1);
  assertEquals(florist.tokens[0].sha256, digest(stdout.trim()));
  assertMatch(florist.tokens[0].created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assertEquals(curator, USERS.curator);
  assertNotMatch(await readFile(path, "utf8"), /ps_/);
});

const NOW = Date.parse("2030-01-01T00:00:00.999Z");

for (
  const [value, expected] of [
    ["2031-01-31", "2031-01-31"],
    ["2031-01-31T12:00:00+01:00", "2031-01-31T12:00:00+01:00"],
    ["30d", "2030-01-31T00:00:00Z"],
    ["2w", "2030-01-15T00:00:00Z"],
    ["12h", "2030-01-01T12:00:00Z"],
    ["90m", "2030-01-01T01:30:00Z"],
  ] as const
) {
  test(`token add --expires ${value} creates a token that expires at ${expected}`, async (t) => {
    t.mock.timers.enable({ apis: ["Date"], now: NOW });
    t.after(() => t.mock.timers.reset()); // Deno does not reset it
    const { call, read } = await prepare(t);
    await call("token", "add", "florist", "--expires", value);
    assertEquals((await read()).florist.tokens[0].expires, expected);
  });
}

const EXPIRES =
  "--expires must be a date such as 2030-01-31 or a duration such as 30d, got ";
const PAST = "--expires must be in the future, got ";

for (
  const [line, status, message] of [
    ...["soon", "2031-02-30", "0d", "999999w"].map((date) =>
      [`token add florist --expires ${date}`, 2, `${EXPIRES}"${date}"`] as const
    ),
    ["token add florist --expires=2020-01-01", 2, `${PAST}"2020-01-01"`],
    ["token add nobody", 1, 'no user "nobody"'],
    ["token add __proto__", 1, 'no user "__proto__"'],
    ["token revoke curator", 2, "specify a token ID or --all"],
    [`token revoke curator ${ID} --all`, 2, "specify a token ID or"],
    ["token revoke curator 1234567", 2, "8 hexadecimal digits"],
    ["token revoke curator 00000000", 1, "no token with this ID"],
    [`token revoke florist ${ID}`, 1, "no token with this ID"],
    ["token revoke twin 00000000", 1, "several tokens match this ID"],
    ["user set curator", 2, "specify --all, --none, or at least one"],
    ["user set x --all --tag fern", 2, "specify --all"],
    ["user set x --all --none", 2, "specify --all"],
    ["user set x --name a --none", 2, "specify --all"],
    ["user set x --tag=", 2, "a tag must be a non-empty string"],
    [
      "user set x --all --delay 5001",
      2,
      '--delay must be from 0 to 5000 milliseconds, such as 500 or "200-800", got "5001"',
    ],
    ["user set x --all --delay 2-1", 2, "--delay must be from 0 to"],
    [
      "user set x --all --fail 3/2",
      2,
      '--fail must be a pattern such as "2/3" or a rate such as "20%", with numbers from 1 to 100, got "3/2"',
    ],
    ["user set x --delay 1", 2, "specify --all, --none, or at least one"],
    [
      "user set x --all --fail 2/3 --database-url postgres://u@127.0.0.1:1/d",
      2,
      "--delay and --fail require a tokens file",
    ],
    ["user set $schema --all", 2, "$schema cannot be a user name"],
    ["user set a\nb --all", 2, "control characters"],
    ["user remove nobody", 1, 'no user "nobody"'],
    ["user remove -bob", 2, 'unknown option "-bob"'],
  ] as const
) {
  test(`${JSON.stringify(line)} fails and changes nothing`, async (t) => {
    const tokens = ["1", "2"].map((end) => ({ sha256: end.padStart(64, "0") }));
    const twin = { plants: "all", tokens };
    const text = JSON.stringify({ ...USERS, twin });
    const { path, call } = await prepare(t, text);
    const error = await assertRejects(() => call(...line.split(" ")), Error);
    assertEquals(error instanceof UsageError, status === 2);
    assertStringIncludes(error.message, message);
    assertEquals(await readFile(path, "utf8"), text);
  });
}

test("token list shows IDs instead of tokens and digests", async (t) => {
  const { path, call, read } = await prepare(t);
  const users = await read();
  users.florist.tokens.push({ sha256: digest("old"), expires: "2020-01-01" });
  await writeFile(path, JSON.stringify(users));
  const { status, stdout } = await call("token", "list");
  assertEquals(status, 0);
  const lines = stdout.trimEnd().split("\n").map((line) => line.split(/ {2,}/));
  assertEquals(lines, [
    ["USER", "ID", "CREATED", "EXPIRES"],
    ["curator", ID, "2026-01-01", "-"],
    ["florist", digest("old").slice(0, 8), "-", "2020-01-01 (expired)"],
  ]);
});

test("token list prints any number of tokens", async (t) => {
  const { path, call } = await prepare(t);
  const tokens = Array.from(
    { length: 150_000 },
    (_, at) => ({ sha256: `${at}`.padStart(64, "0") }),
  );
  await writeFile(path, JSON.stringify({ u: { plants: {}, tokens } }));
  const { stdout } = await call("token", "list");
  assertEquals(stdout.split("\n").length, 150_002);
  // A reader can close the pipe early.
  const { stdout: first, stderr } = await runProgram("bash", [
    ...["-o", "pipefail", "-c", '"$@" | head -n 1', "-"],
    ...[process.execPath, ...COMMAND, "token", "list", "--tokens", path],
  ], { env: { DATABASE_URL: "" } });
  assertEquals(first, "USER  ID        CREATED  EXPIRES\n");
  assertEquals(stderr, "");
});

test("token revoke removes one token, or all tokens with --all", async (t) => {
  const { path, call, read } = await prepare(t);
  await call("token", "add", "curator");
  const one = await call("token", "revoke", "curator", ID);
  assertEquals(
    [one.status, one.stderr],
    [0, `plant-store: revoked 1 token for user "curator" in ${path}\n`],
  );
  const { curator } = await read();
  assertEquals(curator.tokens.length, 1);
  assert(curator.tokens[0].sha256 !== digest("one"));
  await call("token", "add", "curator");
  const all = await call("token", "revoke", "curator", "--all");
  assertMatch(all.stderr, /revoked 2 tokens for user "curator"/);
  assertEquals((await read()).curator.tokens, []);
});

test("user set adds or changes a user; user remove removes one", async (t) => {
  const { path, call, read } = await prepare(t);
  await call("user", "set", "42", "--all");
  const some = ["--tag", "fern", "--tag", "moss", "--name", "a b"];
  await call("user", "set", "__proto__", ...some);
  await call("user", "set", "curator", "--none");
  const text = await readFile(path, "utf8");
  assert(text.indexOf('"42"') > text.indexOf('"florist"'));
  const users = new Map<string, unknown>(Object.entries(JSON.parse(text)));
  assertEquals(users.get("42"), { plants: "all", tokens: [] });
  assertEquals(users.get("__proto__"), {
    plants: { tags: ["fern", "moss"], names: ["a b"] },
    tokens: [],
  });
  assertEquals(users.get("curator"), { ...USERS.curator, plants: {} });
  assertEquals((await call("user", "remove", "__proto__")).status, 0);
  assertEquals((await call("user", "remove", "curator")).status, 0);
  assertEquals(Object.keys(await read()), ["42", "$schema", "florist"]);
});

test("user set replaces the behavior of a user, which token commands keep", async (t) => {
  const { path, call, read } = await prepare(t);
  const set = (...args: string[]) =>
    call("user", "set", "florist", "--all", ...args);
  const notice = (what: string) =>
    `plant-store: changed ${what} for user "florist" in ${path}\n`;
  const behavior = { delay: 500, fail: "2/3" };
  const options = ["--delay", "500", "--fail", "2/3"];
  assertEquals((await set(...options)).stderr, notice("access and behavior"));
  assertEquals((await set(...options)).stderr, notice("access"));
  assertEquals((await read()).florist.behavior, behavior);
  await call("token", "add", "florist");
  assertEquals((await read()).florist.behavior, behavior);
  await call("token", "revoke", "florist", "--all");
  assertEquals((await read()).florist.behavior, behavior);
  await set("--delay", "200-800");
  assertEquals((await read()).florist.behavior, { delay: "200-800" });
  assertEquals((await set()).stderr, notice("access and behavior"));
  assertEquals((await read()).florist, { plants: "all", tokens: [] });
});

test("token and user edit the file in --tokens even if DATABASE_URL is set", async (t) => {
  const { path, read } = await prepare(t);
  const env = { DATABASE_URL: "postgres://u:s3cret-x@127.0.0.1:1/d" };
  for (
    const args of [
      ["token", "add", "florist"],
      ["token", "revoke", "curator", "--all"],
      ["user", "set", "gardener", "--none"],
      ["user", "remove", "gardener"],
    ]
  ) {
    const { status, stderr } = await call([...args, "--tokens", path], env);
    assertEquals([status, stderr.trim().endsWith(path)], [0, true], stderr);
  }
  const { florist, curator, gardener } = await read();
  assertEquals([florist.tokens.length, curator.tokens], [1, []]);
  assertEquals(gardener, undefined);
});
