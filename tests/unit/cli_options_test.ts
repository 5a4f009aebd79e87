import { test } from "node:test";
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { parseOptions, UsageError } from "../../src/cli/options.ts";
import { SERVE_OPTIONS } from "../../src/cli/serve_options.ts";

const REFUSED:
  readonly (readonly [string[], Record<string, string>, RegExp])[] = [
    [["--prot", "1"], {}, /unknown option "--prot"; did you mean "--port"\?/],
    [["-p", "1"], {}, /unknown option "-p"/],
    [["--constructor", "1"], {}, /unknown option "--constructor"/],
    [["--=1"], {}, /unknown option/],
    [["now"], {}, /unexpected argument "now"/],
    [["--port"], {}, /--port needs a value/],
    [["--port", "--host"], {}, /--port needs a value/],
    [["--port="], {}, /--port must be .*, got ""/],
    ...["80x", "-1", "65536", "080", "1e3", " 80", "8000.0"].map((
      port,
    ): [string[], Record<string, string>, RegExp] => [
      [`--port=${port}`],
      {},
      new RegExp(`--port must be .* from 0 to 65535, got "${port}"`),
    ]),
    [[], { PORT: "x" }, /PORT must be .*, got "x"/],
    [["--host="], {}, /--host must be a host name/],
    [["--host", "http://127.0.0.1"], {}, /--host must be a host name/],
    [["--base-path", "api"], {}, /--base-path must .*"api"/],
    [["--base-path", "/api/"], {}, /--base-path must .*"\/api\/"/],
    [["--base-path="], {}, /--base-path must /],
    [[], { BASE_PATH: "/" }, /BASE_PATH must .*"\/"/],
    [["--cors", "a.example"], {}, /--cors must .*"a.example"/],
    [[], { CORS: "https://a.example/" }, /CORS must /],
    [["--public-url", "plants.example"], {}, /--public-url must /],
    [[], { PUBLIC_URL: "ftp://plants.example" }, /PUBLIC_URL must /],
    [
      ["--limits", "url=1"],
      {},
      /--limits: unknown limit "url"; use .*urlLength/,
    ],
    [
      ["--limits", "urlLength"],
      {},
      /--limits: urlLength must be .*integer.*, got ""/,
    ],
    [["--limits", "urlLength=0"], {}, /--limits: urlLength must be .* from 1/],
    [["--limits", "connections=-1"], {}, /--limits: connections must be/],
    [["--limits", "connections=5=700"], {}, /--limits: connections must be/],
    [
      ["--limits", "urlLength=1,urlLength=2"],
      {},
      /--limits: urlLength is repeated/,
    ],
    [
      ["--limits", "connections=2147483648"],
      {},
      /--limits: connections .* to 2147483647/,
    ],
    [
      [],
      { LIMITS: "headersTimeout=20000" },
      /LIMITS: headersTimeout \(20000\) must not exceed .*\(15000\)/,
    ],
    [["--delay", "800-200"], {}, /--delay must be .*, got "800-200"/],
    [[], { DELAY: "1s" }, /DELAY must be milliseconds .*, got "1s"/],
    [["--drain", "-1"], {}, /--drain must be 0 or more, got "-1"/],
    [["--drain=1e3"], {}, /--drain must be .*"1e3"/],
    [[], { DRAIN_DELAY: "5s" }, /DRAIN_DELAY must be .*"5s"/],
    [["--database-url", "mysql://h/d"], {}, /--database-url must be like/],
    [[], { DATABASE_READ_URL: "h/d" }, /DATABASE_READ_URL must be like/],
    [["--log", "all"], {}, /--log must be .*"all"/],
    [[], { LOG: "verbose" }, /LOG must be /],
    [["--plants="], {}, /--plants must be /],
  ];

for (const [args, env, message] of REFUSED) {
  const given = [...args, ...Object.entries(env).map((pair) => pair.join("="))];
  test(`parseOptions() refuses ${JSON.stringify(given.join(" "))}`, () => {
    const error = assertThrows(
      () => parseOptions(SERVE_OPTIONS, args, env),
      UsageError,
    );
    assertMatch(error.message, message);
    assertEquals(error.message.includes("\n"), false);
  });
}

test("parseOptions() gives the defaults", () => {
  assertEquals(parseOptions(SERVE_OPTIONS, [], { PORT: "" }).settings, {
    plants: "data/plants.json",
    tokens: "data/tokens.json",
    "database-url": undefined,
    "database-read-url": undefined,
    host: "127.0.0.1",
    port: 8000,
    "base-path": undefined,
    cors: "*",
    "public-url": undefined,
    "no-watch": false,
    delay: undefined,
    limits: undefined,
    drain: 10_000,
    "drain-delay": 0,
    log: "errors",
  });
});

test("parseOptions() completes limits, and reads seconds", () => {
  const { settings } = parseOptions(
    SERVE_OPTIONS,
    ["--limits=connections=7, urlLength=100", "--drain", "0.25"],
    {},
  );
  assertEquals(settings.drain, 250);
  assertEquals(settings.limits, {
    headerSize: 16_384,
    urlLength: 100,
    bodySize: 65_536,
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    keepAliveTimeout: 5_000,
    connections: 7,
  });
});

test("parseOptions() takes the option before the variable, and the last of one", () => {
  const { settings } = parseOptions(
    SERVE_OPTIONS,
    [
      "--port",
      "1",
      "--port=65535",
      "--cors",
      "https://a.example,http://b:1",
    ],
    { PORT: "3", CORS: "off" },
  );
  assertEquals(settings.port, 65535);
  assertEquals(settings.cors, "https://a.example,http://b:1");
});
