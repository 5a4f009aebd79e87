import { test } from "node:test";
import {
  assertEquals,
  assertNotMatch,
  assertStringIncludes,
} from "@std/assert";
import { createHandler, createMemoryStore, type Handler } from "../../mod.ts";
import { findCommand } from "../../src/cli/commands.ts";
import { parseOptions } from "../../src/cli/options.ts";
import { SERVE_OPTIONS } from "../../src/cli/serve_options.ts";
import { tokenCommand } from "../../src/cli/token.ts";
import { quote } from "../../src/domain/quote.ts";
import { isValidHost } from "../../src/http/host.ts";
import { parseTarget } from "../../src/http/target.ts";
import fc from "../support/fast_check.ts";
import { measureSlow } from "../support/linear.ts";
import { anyText } from "../support/text.ts";

// Text from a client, a command line, or a caller takes linear time, and messages
// that quote it are one printable line. A test in tests/integration/repository checks
// the regular expressions of the sources; here are the libraries and platforms.

const store = createMemoryStore({
  plants: [{ name: "a" }],
  users: { u: { plants: "all", tokens: ["t"] } },
});
const handler: Handler = createHandler(store, {
  cors: ["https://a.example"],
  onResponse() {},
});

const sendHeader = (name: string) => (value: string) =>
  handler("/plants", { headers: { authorization: "Bearer t", [name]: value } });
const sendQuery = (query: string) =>
  handler(`/plants?${query}`, { headers: { authorization: "Bearer t" } });
const setOption = (name: string) => (text: string) =>
  parseOptions(SERVE_OPTIONS, [`--${name}=${text}`], {});

/** Different letters, for which the conversion to Punycode is quadratic. */
const LETTERS = String.fromCharCode(
  ...Array.from({ length: 8_000 }, (_, at) => 0x4e00 + at * 7 % 20_000),
);

/** What receives a text, and texts that it receives repeatedly after a prefix. */
const RECEIVERS: readonly (readonly [
  name: string,
  receive: (text: string) => unknown,
  prefix: string,
  units: readonly string[],
])[] = [
  ["Host", isValidHost, "", ["a", "a.", ":", "%41", LETTERS]],
  ["Authorization", sendHeader("authorization"), "", ["Bearer ", ",", "\xa0"]],
  ["a token", sendHeader("authorization"), "Bearer ", ["a", "=", " ", ",a"]],
  ["If-None-Match", sendHeader("if-none-match"), "", [
    ...[" ", "\t", "\xa0", ",", " ,", '"a",', '"', "W/"],
  ]],
  ["Origin", sendHeader("origin"), "", ["://", "a.", "\xe9"]],
  ["X-Request-Id", sendHeader("x-request-id"), "", ["a", "-", "ps_", "0"]],
  ["the target", parseTarget, "/", ["/", "/..", "/a/..", "%2e/", "\\", "%41"]],
  ["its host", parseTarget, "http://", ["a.", "@", "%e6%a4%8d", LETTERS]],
  ["the query", sendQuery, "", ["&", "a=", "+", "%41", "limit=0&"]],
  ["limit", sendQuery, "limit=", ["0", "1", "%30", "\xa0"]],
  ["--base-path", setOption("base-path"), "/", ["a/", "%41", LETTERS]],
  ["--cors", setOption("cors"), "https://", ["a.", ",", LETTERS]],
  ["--public-url", setOption("public-url"), "https://", ["a.", "/", LETTERS]],
];

for (const [name, receive, prefix, units] of RECEIVERS) {
  test(`long text in ${name} takes linear time`, async () => {
    for (const unit of units) {
      const create = (size: number) =>
        prefix + unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
      const slow = await measureSlow(receive, create);
      assertEquals(slow, undefined, unit.slice(0, 10));
    }
  });
}

const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/u;

test("quote() returns one printable line, which JSON.parse() reads", () => {
  const property = fc.property(anyText, (text) => {
    const quoted = quote(text);
    assertNotMatch(quoted, UNPRINTABLE);
    const characters = [...text];
    assertEquals(quoted.endsWith('"...'), characters.length > 64);
    assertEquals(
      JSON.parse(quoted.replace(/\.\.\.$/, "")),
      characters.slice(0, 64).join(""),
    );
  });
  fc.assert(property, { numRuns: 500 });
});

/** Creates a memory store whose content has a property. */
const create = (content: object) =>
  createMemoryStore({ plants: [], users: {}, ...content });

/** Functions that throw an error that quotes the text. */
const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  ...Object.fromEntries(
    Object.keys(SERVE_OPTIONS)
      .filter((name) => !/^(?:plants|tokens|host|database)/.test(name))
      .map((name) => [`--${name}`, setOption(name)]),
  ),
  "--expires": (text) =>
    parseOptions(tokenCommand.options, [`--expires=${text}`], {}),
  "a command": (text) => findCommand([text]),
  "an argument": (text) => parseOptions({}, ["--", text], {}),
  "an unknown option": (text) => parseOptions({}, [`--${text}`], {}),
  "a short option": (text) => parseOptions({}, [`-x${text}`], {}),
  "a property": (text) => create({ plants: [{ name: "a", [text]: 1 }] }),
};

for (const [name, run] of Object.entries(FUNCTIONS)) {
  test(`the message about ${name} is one printable line`, () => {
    let message = "";
    try {
      run("x\u009b31m\u0085\u2028\n");
    } catch (error) {
      message = (error as Error).message;
    }
    assertStringIncludes(message, "x");
    assertNotMatch(message, UNPRINTABLE);
  });
}
