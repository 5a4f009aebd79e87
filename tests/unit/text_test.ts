import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { assertEquals, assertNotMatch } from "@std/assert";
import fc from "../support/fast_check.ts";
import { createMemoryStore, type MemoryStoreContent } from "../../mod.ts";
import { findCommand } from "../../src/cli/commands.ts";
import { parseOptions } from "../../src/cli/options.ts";
import { SERVE_OPTIONS } from "../../src/cli/serve_options.ts";
import { tokenCommand } from "../../src/cli/token.ts";
import { quote } from "../../src/domain/quote.ts";
import { createService } from "../../src/http/service.ts";
import { NodeRequest } from "../../src/server/node/adapter.ts";
import { findSlow, type Subject } from "../support/linear.ts";
import { anyText } from "../support/text.ts";

// Text from a client, a command line, or a caller takes linear time, and messages
// that quote it are one printable line.

const { respond } = createService(
  createMemoryStore({
    plants: [{ name: "a" }],
    users: { u: { plants: "all", tokens: ["t"] } },
  }),
  {
    cors: ["https://a.example"],
    onResponse() {},
    explorer: ({ baseUrl: body }) => ({
      status: 200,
      headers: { ETag: '"e"' },
      body,
    }),
  },
);

/** Encoded text that URL parsers decode, and then convert to Punycode in a host. */
const ENCODED = ["%41", "%e6%a4%8d"];

interface Message {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request that the service receives from a Fetch API server. */
function sendToFetch({ method = "GET", target = "/", headers = {} }: Message) {
  return respond({
    method,
    target,
    origin: () => "http://h",
    header: (name) => headers[name],
  });
}

/** Sends a request that the service receives from `node:http`. */
function sendToNode({ method = "GET", target = "/", headers = {} }: Message) {
  const all = { host: "h", ...headers };
  const rawHeaders = Object.entries(all).flat();
  const message = { method, url: target, headers: all, rawHeaders, socket: {} };
  const request = message as unknown as IncomingMessage;
  return respond(new NodeRequest(request));
}

/** Sends a request that the service receives from the server of this runtime. */
const send = "Deno" in globalThis || "Bun" in globalThis
  ? sendToFetch
  : sendToNode;

type Parts = Omit<Subject, "run">;

/** A header that receives the text, in a request that reads it. */
const header = (name: string, parts: Parts, message: Message = {}): Subject => {
  const run = (text: string) =>
    send({ ...message, headers: { ...message.headers, [name]: text } });
  return { run, ...parts };
};
const framing = (name: string): Subject => ({
  run: (text) => sendToNode({ headers: { [name]: text } }),
  separators: [",", "chunked"],
});
const asCurator = { authorization: "Bearer t" };
const LIST = { target: "/plants" };

/** What a client sends, and what its grammar contains. */
const REQUESTS: Readonly<Record<string, Subject>> = {
  "Host": header("host", { separators: [".", ":", "@", ...ENCODED] }),
  "a token": header("authorization", {
    prefix: "Bearer ",
    separators: [" ", ",", "="],
  }, LIST),
  "Authorization": header("authorization", {
    separators: [" ", ",", "Bearer "],
  }, LIST),
  "If-None-Match": header("if-none-match", {
    separators: [",", '"', " ", "W/"],
  }),
  "Origin": header("origin", { separators: ["://", ".", ","] }),
  "Access-Control-Request-Method": header("access-control-request-method", {}, {
    method: "OPTIONS",
    headers: { origin: "https://a.example" },
  }),
  "X-Request-Id": header("x-request-id", { separators: ["-", "."] }),
  "Transfer-Encoding": framing("transfer-encoding"),
  "Content-Length": framing("content-length"),
  "the method": { run: (method) => send({ method }) },
  "the target": {
    run: (target) => send({ target }),
    separators: ["/", ".", "/../", "?", "#", "\\", ...ENCODED],
  },
  "the host of the target": {
    run: (text) => sendToNode({ target: `http://${text}/` }),
    separators: [".", ":", "@", ...ENCODED],
  },
  "the query": {
    run: (text) => send({ target: `/plants?${text}`, headers: asCurator }),
    separators: ["&", "=", "+", "limit=", ...ENCODED],
  },
  "limit": {
    run: (text) =>
      send({ target: `/plants?limit=${text}`, headers: asCurator }),
    separators: ["&limit=", "0", ...ENCODED],
  },
};

/** What the grammar of an option contains. */
const SYNTAX: Readonly<Record<string, Parts>> = {
  "base-path": { prefix: "/", separators: ["/", ...ENCODED] },
  "cors": { prefix: "https://", separators: [",", ...ENCODED] },
  "delay": { separators: ["-"] },
  "public-url": { prefix: "https://", separators: ["/", "@", ...ENCODED] },
};
const option = (name: string, parts: Parts = {}): Subject => ({
  run: (text) => parseOptions(SERVE_OPTIONS, [`--${name}=${text}`], {}),
  ...parts,
});
const memory = (toContent: (text: string) => object): Subject => ({
  run(text) {
    const content = { plants: [], users: {}, ...toContent(text) };
    createMemoryStore(content as MemoryStoreContent);
  },
});

/** Functions that throw an error that quotes the text. */
const FUNCTIONS: Readonly<Record<string, Subject>> = {
  ...Object.fromEntries(
    Object.keys(SERVE_OPTIONS).map((
      name,
    ) => [`--${name}`, option(name, SYNTAX[name])]),
  ),
  "the path of --public-url": option("public-url", {
    prefix: "https://h",
    separators: ["/", ...ENCODED],
  }),
  "--expires": {
    run: (text) =>
      parseOptions(tokenCommand.options, [`--expires=${text}`], {}),
  },
  "a command": { run: (text) => findCommand([text]) },
  "an argument": { run: (text) => parseOptions({}, ["--", text], {}) },
  "an unknown option": { run: (text) => parseOptions({}, [`--${text}`], {}) },
  "a user": memory((text) => ({ users: { [text]: 1 } })),
  "a token": memory((text) => ({
    users: { u: { plants: "all", tokens: [1], [text]: 1 } },
  })),
  "a plant": memory((text) => ({ plants: [{ name: "a", [text]: 1 }] })),
};

const PRINTABLE = Array.from(
  { length: 95 },
  (_, at) => String.fromCharCode(0x20 + at),
);

for (
  const [name, subject] of [
    ...Object.entries(REQUESTS),
    ...Object.entries(FUNCTIONS).map(([name, subject]) =>
      [name, { bytes: PRINTABLE, ...subject }] as const
    ),
  ]
) {
  test(`long text in ${name} takes linear time`, async () => {
    assertEquals(await findSlow(subject), []);
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
  fc.assert(property, { numRuns: 1_000 });
});

// parseArgs() of node:util takes quadratic time for short options.
const shortOption = {
  run: (text: string) => parseOptions({}, [`-x${text}`], {}),
};
const QUOTING: typeof FUNCTIONS = {
  ...FUNCTIONS,
  "a short option": shortOption,
};

for (const [name, { run, prefix = "" }] of Object.entries(QUOTING)) {
  test(`the message about ${name} is one printable line`, () => {
    const texts = fc.oneof(
      anyText,
      fc.constantFrom("\u009b31mb", "\u0085", "\u2028x", "a\u009b\n"),
    );
    const property = fc.property(texts, fc.boolean(), (text, hasPrefix) => {
      try {
        run(hasPrefix ? prefix + text : text);
      } catch (error) {
        assertNotMatch((error as Error).message, UNPRINTABLE);
      }
    });
    fc.assert(property, { numRuns: 200 });
  });
}
