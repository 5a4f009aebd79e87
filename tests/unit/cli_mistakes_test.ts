import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { makeFolder } from "../support/files.ts";
import { run } from "../support/command.ts";

/** Mistakes on the command line, and what they print. */
const MISTAKES: readonly (readonly [string, string])[] = [
  ["--prot 1", 'unknown option "--prot"; did you mean "--port"?'],
  ["--verbose", 'unknown option "--verbose"; run `plant-store --help`'],
  ["-p 1", 'unknown option "-p"; run `plant-store --help`'],
  ["sevre", 'unknown command "sevre"; did you mean "serve"?'],
  ["foo", 'unknown command "foo"; run `plant-store --help`'],
  ["--help foo", 'unknown command "foo"; run `plant-store --help`'],
  ["help foo", 'unknown command "foo"; run `plant-store --help`'],
  ["token", 'unknown command "token"; use token add, list or revoke'],
  ["token ad bob", 'unknown command "token ad"; use token add, list or revoke'],
  ["user", 'unknown command "user"; use user set or remove'],
  ["token add", "missing argument USER"],
  ["check data", 'unexpected argument "data"'],
  ["--port", "--port needs a value: PORT"],
  ["--no-watch=1", "--no-watch takes no value"],
  ["--port 80x", '--port must be an integer from 0 to 65535, got "80x"'],
  ["PORT=80x", 'PORT must be an integer from 0 to 65535, got "80x"'],
  ["--drain -1", '--drain must be 0 or more, got "-1"'],
  [
    "--limits connections=x",
    '--limits: connections must be an integer from 1 to 2147483647, got "x"',
  ],
  [
    "--base-path api",
    '--base-path must start with a slash and not end with one, such as /api, got "api"',
  ],
  ["--log all", '--log must be off, errors, or requests, got "all"'],
  ["token revoke curator", "specify a token ID or --all"],
  [
    "token add curator --expires 2020-01-01",
    '--expires must be in the future, got "2020-01-01"',
  ],
  ["import", "specify --database-url or DATABASE_URL"],
  [
    "--database-read-url postgres://h/d",
    "--database-read-url needs --database-url",
  ],
];

for (const [line, message] of MISTAKES) {
  test(`"plant-store ${line}" exits with status 2`, async () => {
    const [, name, value] = /^([A-Z]+)=(.*)$/.exec(line) ?? [];
    const { status, stdout, stderr } = name === undefined
      ? await run(line.split(" "))
      : await run([], { [name]: value! });
    assertEquals(stderr, `plant-store: ${message}\n`);
    assertEquals([status, stdout], [2, ""]);
  });
}

test("serve cannot resolve an unknown host", async () => {
  const { status, stderr } = await run(["--host", "example.invalid"]);
  assertEquals(stderr, 'plant-store: cannot resolve host "example.invalid"\n');
  assertEquals(status, 1);
});

/** What commands print in an empty folder, where `serve` would serve demo data. */
const MISSING: readonly (readonly [string, string])[] = [
  ["check", "plants"],
  ["token list", "tokens"],
  ["token add bob", "tokens"],
  ["user set bob --all", "tokens"],
];

for (const [line, file] of MISSING) {
  test(`"plant-store ${line}" names init if there are no files`, async (t) => {
    const { status, stderr } = await run(
      line.split(" "),
      {},
      await makeFolder(t),
    );
    assertEquals(status, 1);
    assertEquals(
      stderr.split("\n")[0],
      `plant-store: cannot read "data/${file}.json": file not found; create it with "plant-store init"`,
    );
  });
}

for (const args of [["-h"], ["--help"], ["help"], ["--port", "x", "-h"]]) {
  test(`"plant-store ${args.join(" ")}" prints the help`, async () => {
    const { status, stdout, stderr } = await run(args);
    assertEquals([status, stderr], [0, ""]);
    assertEquals(
      stdout.split("\n")[0],
      "Usage: plant-store [COMMAND] [OPTIONS]",
    );
  });
}

for (const args of [["token", "add", "-h"], ["help", "token", "add"]]) {
  test(`"plant-store ${args.join(" ")}" prints the help for a command`, async () => {
    const { status, stdout } = await run(args);
    assertEquals(status, 0);
    assertEquals(
      stdout.split("\n")[0],
      "Usage: plant-store token add USER [OPTIONS]",
    );
  });
}
