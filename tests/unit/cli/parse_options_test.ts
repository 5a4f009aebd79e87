import { test } from "node:test";
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { parseOptions, UsageError } from "../../../src/cli/parse_options.ts";
import { SERVE_OPTIONS } from "../../../src/cli/serve_options.ts";

const parse = (args: readonly string[], env: Record<string, string> = {}) =>
  parseOptions({ options: SERVE_OPTIONS }, args, env).settings;

/** Command lines, or environment variables, and their error messages. */
const REJECTED: readonly (readonly [line: string, message: RegExp])[] = [
  ["--prot 1", /^unknown option "--prot"; did you mean "--port"\?$/],
  [
    "-HAuthorization:secret",
    /^unknown option "-HAuthorization"; to list the options, add --help$/,
  ],
  ["-p 1", /^unknown option "-p"; to list the options, add --help$/],
  ["now", /unexpected argument "now"/],
  ["--port", /^--port requires a value: PORT$/],
  ["--port=", /--port must be .*, got ""/],
  ...["80x", "-1", "65536", "080", "1e3", "\t80", "8000.0"].map((port) =>
    [
      `--port=${port}`,
      new RegExp(
        `^--port must be an integer from 0 to 65535, got ${
          JSON.stringify(port).replaceAll("\\", "\\\\")
        }$`,
      ),
    ] as const
  ),
  ["--host=", /--host must be a host name/],
  ["--host http://127.0.0.1", /--host must be a host name/],
  ["--host [::1]", /--host must be .* without brackets, /],
  ["--plants=", /^--plants must be a path, got ""$/],
  ["--tokens=", /^--tokens must be a path, got ""$/],
  ["--base-path api", /^--base-path must be a path such as \/api, .*"api"$/],
  ["--cors a.example", /--cors must .*"a.example"; /],
  ["--cors *,https://a.example", /^--cors must .*"\*"; .* or \* alone$/],
  ["--public-url plants.example", /--public-url must /],
  ...[
    ...["mysql://root:pw@localhost/app", "file:./dev.db", "sqlite:///x.db"],
    ...["host=h dbname=d", "/run", "postgres://u@a,b:5432/d"],
    ...["jdbc:postgresql://h/d", "socket:/run", "postgres://u@h:99999/d"],
    ...[
      "postgres://u:a@b/c@h/d",
      "postgres://u:a@b?c@h/d",
      "postgres://u@h/d#",
    ],
    ...["postgres://u@h/d\n", "\u00a0postgres://u@h/d", '"postgres://u@h/d"'],
  ].map((url) =>
    [
      `DATABASE_URL=${url}`,
      /^DATABASE_URL must be a URL such as postgres:[^"]+; unset DATABASE_URL, /,
    ] as const
  ),
  ["--delay 800-200", /--delay must be .*, got "800-200"/],
  ["--shutdown-timeout -1", /^--shutdown-timeout must be .*, got "-1"$/],
  ["--shutdown-timeout=1e3", /--shutdown-timeout must be .*"1e3"/],
  ["--log all", /^--log must be off, errors, or requests, got "all"$/],
];

for (const [line, message] of REJECTED) {
  test(`parseOptions() rejects ${JSON.stringify(line)}`, () => {
    const [, name, value] = /^([A-Z_]+)=(.*)$/s.exec(line) ?? [];
    const error = assertThrows(
      () =>
        name === undefined
          ? parse(line.split(" "))
          : parse([], { [name]: value! }),
      UsageError,
    );
    assertMatch(error.message, message);
    assertEquals(error.message.includes("\n"), false);
  });
}

test("parseOptions() accepts the URL of a PostgreSQL database", () => {
  for (
    const url of [
      "postgres://u:a%40b@[::1]:5432/d?sslmode=verify-full",
      "postgresql:///d?host=/run/postgresql",
      "postgresql://u@/d?host=/run/postgresql",
      "postgres://%2Frun%2Fpostgresql/d",
    ]
  ) {
    const settings = parse([], { DATABASE_URL: url });
    assertEquals(settings["database-url"], url);
  }
});

test("parseOptions() converts seconds", () => {
  assertEquals(parse(["--shutdown-timeout", "0.25"])["shutdown-timeout"], 250);
});

test("parseOptions() prefers the last option to earlier ones and variables", () => {
  const line = "--port 1 --port=65535 --cors https://a.example,http://b:1";
  const { port, cors } = parse(line.split(" "), { PORT: "3", CORS: "off" });
  assertEquals([port, cors], [65535, "https://a.example,http://b:1"]);
});
