import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert, assertEquals, assertRejects } from "@std/assert";
import metadata from "../../../package.json" with { type: "json" };
import { UsageError } from "../../../src/cli/options.ts";
import { call } from "../../support/cli.ts";
import { run } from "../../support/command.ts";
import { makeFolder, writeFiles } from "../../support/files.ts";

const MISTAKES: readonly (readonly [line: string, message: string])[] = [
  ["sevre", 'unknown command "sevre"; did you mean "serve"?'],
  ["foo", 'unknown command "foo"; run `plant-store --help`'],
  ["token", 'unknown command "token"; use token add, list or revoke'],
  ["token ad bob", 'unknown command "token ad"; use token add, list or revoke'],
  ["token add", "missing argument USER"],
  ["check data", 'unexpected argument "data"'],
  ["check postgres://u:secret@h/db", "unexpected argument that is a URL"],
  [
    "postgres://u:secret@h/db",
    "unknown command that is a URL; run `plant-store --help`",
  ],
  ["import", "specify --database-url or DATABASE_URL"],
  [
    "--database-read-url postgres://h/d",
    "--database-read-url requires --database-url",
  ],
  ...["h,i", "h:1,h:2", "u:s3cret@h,i", "u:s3c@ret@h,i"].map((hosts) =>
    [
      `import --database-url postgres://${hosts}/d`,
      "--database-url must contain one host; use a host name or a proxy that always leads to the primary server",
    ] as const
  ),
  ...["", "u:p@", "u:s3cret@h:x", "u%ZZ@h", "h:99999"].map((host) =>
    [
      `import --database-url postgres://${host}/d`,
      "--database-url must look like postgres://USER:PASSWORD@HOST:PORT/DATABASE",
    ] as const
  ),
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

test("a command suggests init if a file is missing", async (t) => {
  const { status, stderr } = await run(["check"], {}, await makeFolder(t));
  assertEquals(status, 1);
  assertEquals(
    stderr.split("\n")[0],
    'plant-store: cannot read "data/plants.json": file not found; create it with "plant-store init"',
  );
});

for (
  const [line, usage] of [
    ["-h", "[COMMAND]"],
    ["help", "[COMMAND]"],
    ["--port x --help", "[COMMAND]"],
    ["serve --help", "serve"],
    ["help token add", "token add USER"],
  ] as const
) {
  test(`"plant-store ${line}" prints the help`, async () => {
    const { status, stdout, stderr } = await run(line.split(" "));
    assertEquals([status, stderr], [0, ""]);
    const [first] = stdout.split("\n");
    assertEquals(first, `Usage: plant-store ${usage} [OPTIONS]`);
    assert(stdout.includes("TOKENS_FILE"));
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
