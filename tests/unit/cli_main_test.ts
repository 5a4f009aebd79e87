import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert, assertEquals, assertRejects } from "@std/assert";
import metadata from "../../package.json" with { type: "json" };
import { UsageError } from "../../src/cli/options.ts";
import { call } from "../support/cli.ts";
import { run } from "../support/command.ts";
import { makeFolder, writeFiles } from "../support/files.ts";

const MISTAKES: readonly (readonly [line: string, message: string])[] = [
  ["sevre", 'unknown command "sevre"; did you mean "serve"?'],
  ["foo", 'unknown command "foo"; run `plant-store --help`'],
  ["token", 'unknown command "token"; use token add, list or revoke'],
  ["token ad bob", 'unknown command "token ad"; use token add, list or revoke'],
  ["token --all", 'unknown command "token"; use token add, list or revoke'],
  ["user", 'unknown command "user"; use user set or remove'],
  ["token add", "missing argument USER"],
  ["token add a b", 'unexpected argument "b"'],
  ["check data", 'unexpected argument "data"'],
  ["import", "specify --database-url or DATABASE_URL"],
  [
    "--database-read-url postgres://h/d",
    "--database-read-url requires --database-url",
  ],
];

for (const [line, message] of MISTAKES) {
  test(`"plant-store ${line}" is rejected`, async () => {
    const error = await assertRejects(() => call(line.split(" ")), UsageError);
    assertEquals(error.message, message);
  });
}

test("a command exits with status 2 if the command line is invalid", async () => {
  for (
    const [line, env, message] of [
      ["help foo", {}, 'unknown command "foo"; run `plant-store --help`'],
      ["", { LOG: "x" }, 'LOG must be off, errors, or requests, got "x"'],
    ] as const
  ) {
    const args = line.split(" ").filter((arg) => arg !== "");
    const { status, stdout, stderr } = await run(args, env);
    assertEquals(stderr, `plant-store: ${message}\n`);
    assertEquals([status, stdout], [2, ""]);
  }
});

for (const [line, file] of [["check", "plants"], ["token list", "tokens"]]) {
  test(`"plant-store ${line}" suggests init if a file is missing`, async (t) => {
    const folder = await makeFolder(t);
    const { status, stderr } = await run(line!.split(" "), {}, folder);
    assertEquals(status, 1);
    assertEquals(
      stderr.split("\n")[0],
      `plant-store: cannot read "data/${file}.json": file not found; create it with "plant-store init"`,
    );
  });
}

for (const line of ["-h", "--help", "help", "--port x -h", "serve --help"]) {
  test(`"plant-store ${line}" prints the help`, async () => {
    const { status, stdout, stderr } = await run(line.split(" "));
    assertEquals([status, stderr], [0, ""]);
    const [command] = line.split(" -");
    const usage = command === "serve" ? "serve" : "[COMMAND]";
    assertEquals(
      stdout.split("\n")[0],
      `Usage: plant-store ${usage} [OPTIONS]`,
    );
    for (const name of ["--plants", "TOKENS_FILE", "--base-path", "LOG"]) {
      assert(stdout.includes(name), name);
    }
  });
}

for (const line of ["token add -h", "help token add"]) {
  test(`"plant-store ${line}" prints the help for a command`, async () => {
    const { status, stdout } = await run(line.split(" "));
    assertEquals(status, 0);
    assertEquals(
      stdout.split("\n")[0],
      "Usage: plant-store token add USER [OPTIONS]",
    );
  });
}

test("--version prints the version", async () => {
  const { status, stdout } = await run(["--version"]);
  assertEquals([status, stdout], [0, `${metadata.version}\n`]);
});

test("-- is ignored before a command and ends the options after it", async (t) => {
  const { tokens } = await writeFiles(t, {});
  const line = "-- user set --all -- --help";
  const { status } = await run(line.split(" "), { TOKENS_FILE: tokens });
  assertEquals(status, 0);
  const users = JSON.parse(await readFile(tokens, "utf8"));
  assertEquals(users, { "--help": { plants: "all", tokens: [] } });
});

test("a command exits with status 1 and locates the problem if a file is invalid", async (t) => {
  const { tokens } = await writeFiles(t, { tokens: '{\n  "u": 1\n}' });
  const env = { TOKENS_FILE: tokens };
  const { status, stdout, stderr } = await run(["token", "add", "u"], env);
  assertEquals([status, stdout], [1, ""]);
  assertEquals(stderr, `${tokens}:2:8: expected a user object\n`);
});
