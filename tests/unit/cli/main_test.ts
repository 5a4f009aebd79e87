import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals, assertRejects } from "@std/assert";
import metadata from "../../../package.json" with { type: "json" };
import { UsageError } from "../../../src/cli/options.ts";
import { PROGRAM } from "../../../src/stores/catalog/program.ts";
import { call } from "../../support/cli.ts";
import { run } from "../../support/command.ts";
import { makeFolder, writeFiles } from "../../support/files.ts";

const LIST = `to list all commands, run: ${PROGRAM} --help`;

const MISTAKES: readonly (readonly [line: string, message: string])[] = [
  ["sevre", 'unknown command "sevre"; did you mean "serve"?'],
  ["tokn list", 'unknown command "tokn"; did you mean "token"?'],
  ["foo", `unknown command "foo"; ${LIST}`],
  ["token", 'unknown command "token"; use token add, token list, token revoke'],
  ["token ad bob", 'unknown command "token ad"; did you mean "token add"?'],
  ["token add", "missing argument USER; for help, add --help"],
  ["check data", 'unexpected argument "data"'],
  ["check postgres://u:secret@h/db", "unexpected argument (a URL)"],
  ["postgres://u:secret@h/db", `unknown command (a URL); ${LIST}`],
  ["import", "specify --database-url or DATABASE_URL"],
  [
    "--database-read-url postgres://h/d",
    "--database-read-url requires --database-url",
  ],
  ...["h,i", "h:1,h:2", "u:s3cret@h,i", "u:s3c@ret@h,i"].map((hosts) =>
    [
      `import --database-url postgres://${hosts}/d`,
      "--database-url must contain only one host; use a host name or a proxy that always points to the primary server",
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

test("a command suggests init if init would create the missing file", async (t) => {
  const folder = await makeFolder(t);
  const missing = (name: string) =>
    `plant-store: cannot read ${
      JSON.stringify(join(folder, name))
    }: file not found`;
  const check = async (plants: string) => {
    const { stderr } = await call(["check"], {
      PLANTS_FILE: join(folder, plants),
      TOKENS_FILE: join(folder, "tokens.json"),
    });
    return stderr.trimEnd().split("\n");
  };
  const init = `; to create it, run: ${PROGRAM} init ${folder}`;
  assertEquals(
    await check("plants.json"),
    ["plants.json", "tokens.json"].map((name) => missing(name) + init),
  );
  assertEquals((await check("p.json"))[0], missing("p.json"));
  await writeFile(join(folder, "plants.json"), "[]");
  assertEquals(await check("plants.json"), [missing("tokens.json")]);
});

const TOKEN_COMMANDS = [
  "token add USER",
  "token list",
  "token revoke USER [ID]",
];

for (
  const [line, usage, commands] of [
    ["-h", "[COMMAND]", undefined],
    ["help", "[COMMAND]", undefined],
    ["--port x --help", "[COMMAND]", undefined],
    ["serve --help", "serve", []],
    ["help token add", "token add USER", []],
    ["token --help", "token COMMAND", TOKEN_COMMANDS],
    ["help user", "user COMMAND", ["user set USER", "user remove USER"]],
  ] as const
) {
  test(`"plant-store ${line}" prints the help`, async () => {
    const { status, stdout, stderr } = await run(line.split(" "));
    assertEquals([status, stderr], [0, ""]);
    const [first] = stdout.split("\n");
    assertEquals(first, `Usage: plant-store ${usage} [OPTIONS]`);
    if (!/COMMAND$/.test(usage)) assert(stdout.includes("TOKENS_FILE"));
    const listed = stdout.matchAll(/^ {2}([a-z]\S* .*?) {2,}\S/gm);
    if (!commands) return;
    assertEquals(Array.from(listed, ([, each]) => each!), [...commands]);
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

test("a command exits with status 1 if it fails, and 2 if it is misused", async (t) => {
  const { tokens } = await writeFiles(t, { tokens: '{\n  "u": 1\n}' });
  for (
    const [line, expected, message] of [
      ["token add u", 1, `${tokens}:2:8: expected a user object`],
      [
        "help sevre",
        2,
        'plant-store: unknown command "sevre"; did you mean "serve"?',
      ],
    ] as const
  ) {
    const { status, stdout, stderr } = await run(line.split(" "), {
      TOKENS_FILE: tokens,
    });
    assertEquals([status, stdout, stderr], [expected, "", `${message}\n`]);
  }
});
