import { test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { call } from "../../support/cli.ts";

// Command lines that are rejected. parse_options_test.ts has the options of `serve`.

/** A server that accepts these options cannot listen, so it ends. */
const SERVE = "--host 203.0.113.1";
const EXPIRES =
  "--expires must be a date like 2030-01-31 or a duration like 30d, got ";
const URL_HAS = "URL must not have credentials, a query, or a fragment";
const LEVEL_HTTP =
  'no test case of level http has an ID that starts with the words "x"';

/** The messages by command lines, without variables and with status 2. */
const MISTAKES: Readonly<Record<string, string>> = {
  "sevre": 'unknown command "sevre"; did you mean "serve"?',
  "tokn": 'unknown command "tokn"; did you mean "token"?',
  "foo": 'unknown command "foo"; to list all commands, run: ',
  "help sevre": 'unknown command "sevre"; did you mean "serve"?',
  "check data": 'unexpected argument "data"',
  "check https://u:s3cret@h/db": "unexpected argument (a URL)",
  "https://u:s3cret@h/db": "unknown command (a URL); to list ",
  // `--` is ignored before a command and ends the options after it.
  "-- check -- --help": 'unexpected argument "--help"',
  "grade --format junit": "--format must be text or csv",
  "grade --exercise 4": "--exercise must be 1, 2, or 3",
  "grade data": '"data" has no subfolders',
  "grade": 'cannot read "students": file not found',
  "token --expires soon": `${EXPIRES}"soon"`,
  "token --expires 2031-02-30": `${EXPIRES}"2031-02-30"`,
  "token --expires 0d": `${EXPIRES}"0d"`,
  "token --expires 999999w": `${EXPIRES}"999999w"`,
  "token --expires 2020-01-01":
    '--expires must be in the future, got "2020-01-01"',
  "token ada ada": "a name is repeated; use different ones",
  "token $schema": "$schema cannot be a user name",
  "verify": "missing argument URL; for help, add --help",
  "verify ftp://h": "URL must start with http:// or https://",
  "verify http://u:s3cret@h": URL_HAS,
  "verify http://h?": URL_HAS,
  "verify http://h --skip limit,x": LEVEL_HTTP,
  "verify --list --level=core --only=cors":
    'starts with the words "cors"; to list all IDs, run: ',
  "verify http://h --only ,": "--only must be a list of IDs",
  "verify http://h --timeout 0": "--timeout must be a number of seconds",
  "verify http://h --format csv": "--format must be text, json, or junit",
};

async function assertRejected(
  line: string,
  message: string,
  expected = 2,
  env = {},
): Promise<void> {
  const { status, stdout, stderr } = await call(line.split(" "), env);
  const isMessage = stderr.startsWith("plant-store: ");
  assertEquals([status, stdout, isMessage], [expected, "", true]);
  assertStringIncludes(stderr, message);
  assertEquals(stderr.includes("s3cret"), false);
}

for (const [line, message] of Object.entries(MISTAKES)) {
  test(`"plant-store ${line}" is rejected`, () =>
    assertRejected(line, message));
}

for (const name of ["DATABASE_URL", "PLANTS_FILE", "TOKENS_FILE"]) {
  test(`serve rejects an empty ${name} unless it is replaced`, async () => {
    const message = `${name} is empty; set it, or unset it`;
    await assertRejected(SERVE, message, 2, { [name]: "" });
    const replaced = `${SERVE} --plants a --tokens b`;
    await assertRejected(replaced, 'cannot read "a": ', 1, { [name]: "" });
  });
}

test("serve rejects files that it cannot use", async () => {
  await assertRejected(`${SERVE} --plants a`, 'cannot read "a": ', 1);
  const message = "TOKENS_FILE and --demo cannot be used together; ";
  await assertRejected(`${SERVE} --demo`, message, 2, { TOKENS_FILE: "no" });
});
