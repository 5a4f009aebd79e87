import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { createMemoryStore, type HandlerOptions } from "../../mod.ts";
import { parseOptions } from "../../src/cli/options.ts";
import { SERVE_OPTIONS } from "../../src/cli/serve_options.ts";
import { tokenAdd } from "../../src/cli/token.ts";
import { findCommand } from "../../src/cli/commands.ts";
import { userSet } from "../../src/cli/user.ts";
import { createService } from "../../src/http/service.ts";
import { NodeRequest } from "../../src/server/node/exchange.ts";
import { findSlow, measureSlow, type Subject } from "../support/linear.ts";

const store = createMemoryStore({
  plants: [{ name: "a" }],
  users: { u: { plants: "all", tokens: ["t"] } },
});
const options: HandlerOptions = {
  cors: ["https://a.example"],
  onError() {},
  onResponse() {},
  page: ({ baseUrl }) => ({
    status: 200,
    headers: { ETag: '"e"' },
    body: baseUrl,
  }),
};
const { respond } = createService(store, options);

/** Encoded text that URL parsers decode, and then convert to Punycode in a host. */
const ENCODED = ["%41", "%e6%a4%8d"];

/** The headers that the service reads, and what their grammar contains. */
const HEADERS: Readonly<
  Record<string, Omit<Subject, "run"> & { readonly method?: string }>
> = {
  "host": { separators: [".", ":", "@", ...ENCODED] },
  "authorization": { prefix: "Bearer ", separators: [" ", ",", "="] },
  "if-none-match": { separators: [",", '"', " ", "W/"] },
  "origin": { separators: ["://", ".", ","] },
  "access-control-request-method": { method: "OPTIONS" },
  "x-request-id": { separators: ["-", "."] },
};

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
    origin: "http://h",
    header: (name) => headers[name],
  });
}

/** Sends a request that the service receives from `node:http`. */
function sendToNode({ method = "GET", target = "/", headers = {} }: Message) {
  const all = { host: "h", ...headers };
  const rawHeaders = Object.entries(all).flat();
  const message = { method, url: target, headers: all, rawHeaders, socket: {} };
  return respond(new NodeRequest(message as unknown as IncomingMessage));
}

/** Sends a request that the service receives from the server of this runtime. */
const send = "Deno" in globalThis || "Bun" in globalThis
  ? sendToFetch
  : sendToNode;

const SUBJECTS: Record<string, Subject> = {};
for (const [name, { method = "GET", ...rest }] of Object.entries(HEADERS)) {
  const headers: Readonly<Record<string, string>> = method === "OPTIONS"
    ? { origin: "https://a.example" }
    : {};
  const target = name === "authorization" ? "/plants" : "/";
  SUBJECTS[name] = {
    run: (text) =>
      send({ method, target, headers: { ...headers, [name]: text } }),
    ...rest,
  };
}
SUBJECTS["authorization with any scheme"] = {
  run: (text) => send({ target: "/plants", headers: { authorization: text } }),
  separators: [" ", ",", "Bearer "],
};
for (const name of ["transfer-encoding", "content-length"]) {
  SUBJECTS[name] = {
    run: (text) => sendToNode({ headers: { [name]: text } }),
    separators: [",", "chunked"],
  };
}
SUBJECTS["the method"] = { run: (method) => send({ method }) };
SUBJECTS["the target"] = {
  run: (target) => send({ target }),
  separators: ["/", ".", "/../", "?", "#", "\\", ...ENCODED],
};
SUBJECTS["the host of the target"] = {
  run: (text) => sendToNode({ target: `http://${text}/` }),
  separators: [".", ":", "@", ...ENCODED],
};
const asCurator = { authorization: "Bearer t" };
SUBJECTS["the query"] = {
  run: (text) => send({ target: `/plants?${text}`, headers: asCurator }),
  separators: ["&", "=", "+", "limit=", ...ENCODED],
};
SUBJECTS["limit"] = {
  run: (text) => send({ target: `/plants?limit=${text}`, headers: asCurator }),
  separators: ["&limit=", "0", ...ENCODED],
};

const PRINTABLE = Array.from(
  { length: 95 },
  (_, at) => String.fromCharCode(0x20 + at),
);

/** What the grammar of an option contains. */
const SYNTAX: Readonly<Record<string, Omit<Subject, "run">>> = {
  "base-path": { prefix: "/", separators: ["/", ...ENCODED] },
  "cors": { prefix: "https://", separators: [",", ...ENCODED] },
  "database-url": { prefix: "postgres://", separators: [",", "@", ":"] },
  "delay": { separators: ["-"] },
  "limits": { prefix: "connections=", separators: [",", "="] },
  "public-url": { prefix: "https://", separators: ["/", "@", ...ENCODED] },
};
for (const name of Object.keys(SERVE_OPTIONS)) {
  SUBJECTS[`--${name}`] = {
    run: (text) => parseOptions(SERVE_OPTIONS, [`--${name}=${text}`], {}),
    bytes: PRINTABLE,
    ...SYNTAX[name],
  };
}
SUBJECTS["the path of --public-url"] = {
  run: (text) => parseOptions(SERVE_OPTIONS, [`--public-url=${text}`], {}),
  prefix: "https://h",
  bytes: PRINTABLE,
  separators: ["/", ...ENCODED],
};
SUBJECTS["--expires"] = {
  run: (text) =>
    parseOptions(tokenAdd.options, ["u", `--expires=${text}`], {}, ["USER"]),
};
SUBJECTS["the command"] = {
  run: (text) => findCommand([text]),
  bytes: PRINTABLE,
};
SUBJECTS["an unknown option"] = {
  run: (text) => parseOptions({}, [`--${text}`], {}),
};

for (const [name, subject] of Object.entries(SUBJECTS)) {
  test(`long text in ${name} takes linear time`, async () => {
    assertEquals(await findSlow(subject), []);
  });
}

// More than 16,000 arguments take quadratic time in parseArgs() of node:util.
test("thousands of options take linear time", async () => {
  const run = (text: string) =>
    parseOptions(
      userSet.options,
      ["u", ...Array.from(text, (tag) => `--tag=${tag}`)],
      {},
      ["USER"],
    );
  assertEquals(await measureSlow(run, (size) => "a".repeat(size)), undefined);
});
