import { test } from "node:test";
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  parseOptions,
  SERVE_OPTIONS,
  UsageError,
} from "../../src/cli/options.ts";

const REFUSED:
  readonly (readonly [string[], Record<string, string>, RegExp])[] = [
    [["--prot", "1"], {}, /unknown option "--prot"/],
    [["-p", "1"], {}, /unknown option "-p"/],
    [["--constructor", "1"], {}, /unknown option "--constructor"/],
    [["--=1"], {}, /unknown option/],
    [["now"], {}, /unknown argument "now"/],
    [["--port"], {}, /--port needs a value/],
    [["--port", "--host"], {}, /--port needs a value/],
    [["--port="], {}, /--port: .* not ""/],
    ...["80x", "-1", "65536", "080", "1e3", " 80", "8000.0"].map((
      port,
    ): [string[], Record<string, string>, RegExp] => [
      [`--port=${port}`],
      {},
      new RegExp(`--port: .* from 0 to 65535, not "${port}"`),
    ]),
    [[], { PORT: "x" }, /PORT: .* not "x"/],
    [["--host="], {}, /--host: /],
    [["--host", "http://127.0.0.1"], {}, /--host: /],
    [["--base-path", "api"], {}, /--base-path: .*"api"/],
    [["--base-path", "/api/"], {}, /--base-path: .*"\/api\/"/],
    [["--base-path="], {}, /--base-path: /],
    [[], { BASE_PATH: "/" }, /BASE_PATH: .*"\/"/],
    [["--cors", "a.example"], {}, /--cors: .*"a.example"/],
    [[], { CORS: "https://a.example/" }, /CORS: /],
    [["--public-url", "plants.example"], {}, /--public-url: /],
    [[], { PUBLIC_URL: "ftp://plants.example" }, /PUBLIC_URL: /],
    [
      ["--limits", "url=1"],
      {},
      /--limits: there is no limit "url": .*urlLength/,
    ],
    [["--limits", "urlLength"], {}, /--limits: urlLength must be .*number/],
    [["--limits", "urlLength=0"], {}, /--limits: urlLength must be .* from 1/],
    [["--limits", "connections=-1"], {}, /--limits: connections must be/],
    [["--limits", "connections=5=700"], {}, /--limits: connections must be/],
    [["--limits", "urlLength=1,urlLength=2"], {}, /urlLength is given twice/],
    [
      ["--limits", "connections=2147483648"],
      {},
      /--limits: connections .* to 2147483647/,
    ],
    [
      [],
      { LIMITS: "headersTimeout=20000" },
      /LIMITS: headersTimeout \(20000\) must not .*\(15000\)/,
    ],
    [["--drain", "-1"], {}, /--drain needs a value: SECONDS/],
    [["--drain=1e3"], {}, /--drain: .*"1e3"/],
    [[], { DRAIN_DELAY: "5s" }, /DRAIN_DELAY: .*"5s"/],
    [["--database-url", "mysql://h/d"], {}, /--database-url: .*must be like/],
    [[], { DATABASE_READ_URL: "h/d" }, /DATABASE_READ_URL: .*must be like/],
    [["--log", "all"], {}, /--log: .*"all"/],
    [[], { LOG: "verbose" }, /LOG: /],
    [["--plants="], {}, /--plants: /],
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
