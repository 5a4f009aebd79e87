import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import {
  createMemoryStore,
  type PlantStore,
  StoreUnavailableError,
} from "../../mod.ts";
import { createService } from "../../src/core/http/service.ts";
import { openapi } from "../../src/openapi/openapi.ts";
import fc from "../support/fast_check.ts";
import { unicodeText } from "../support/text.ts";
import { ACCESS, type CaseRequest, PLANTS } from "./all_cases.ts";
import { DOCUMENTS, type Model, predict, toComparable } from "./model.ts";

// Compares the responses to generated requests with those of the model. Each part of a
// request is usually valid, so that the service gets as far as the part that is not. The
// first choice of each part is the simplest one.

/** Text whose parts are arbitrary or one of several choices, which are separated by bars. */
function join(
  ...parts: readonly (string | fc.Arbitrary<string>)[]
): fc.Arbitrary<string> {
  const arbitraries = parts.map((part) =>
    typeof part === "string" ? fc.constantFrom(...part.split("|")) : part
  );
  return fc.tuple(...arbitraries).map((texts) => texts.join(""));
}

/** A usual value, and in one of `interval` requests an unusual one. */
function mostly<T>(
  usual: fc.Arbitrary<T>,
  unusual: fc.Arbitrary<T>,
  interval = 10,
): fc.Arbitrary<T> {
  const weighted = { weight: interval - 1, arbitrary: usual };
  return fc.oneof({ withCrossShrink: true }, weighted, unusual);
}

/** Text in percent-encoding: where necessary, everywhere, or here and there. */
function encoded(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(text, fc.nat(7)).map(([text, mask]) =>
    Array.from(new TextEncoder().encode(text), (byte, index) => {
      const character = String.fromCharCode(byte);
      const isEncoded = (mask >> index % 3 & 1) === 1;
      if (/[\w\-.~!*'(),;:@/]/.test(character) && !isEncoded) return character;
      const digits = byte.toString(16).padStart(2, "0");
      return `%${index % 2 === 0 ? digits : digits.toUpperCase()}`;
    }).join("")
  );
}

const method = mostly(
  join("GET|GET|GET|HEAD|OPTIONS"),
  join("POST|PUT|PATCH|DELETE|TRACE|CONNECT|QUERY|get|FOO|GE|!"),
);
const prefix = mostly(
  join(""),
  join(
    "/x/..|/.|/..|//evil.example|/\\..|http://other.example|http://[::1]:80" +
      "|HTTPS://user@h|ftp://h|http:/|x:|*|?|#",
  ),
);
const segment = fc.oneof(
  join("plants|..|.|%2e%2E|x|healthz|plants;v=1||%2F|Plants|__proto__|%zz|#a"),
  encoded(join("plants|healthz|readyz|openapi.json")),
  encoded(unicodeText),
);
const path = fc.oneof(
  { weight: 12, arbitrary: join("/plants") },
  join("/healthz|/readyz|/|/openapi.json|*"),
  fc.array(segment, { maxLength: 4 }).map((each) => `/${each.join("/")}`),
);
const limit = fc.oneof(
  { weight: 4, arbitrary: fc.nat(9).map(String) },
  join(
    "|-|+|0| |0x|\uFEFF",
    "0|1|2147483647|2147483648|99999999999999999999|1.5|1e1|२|null|",
    "|.0|,2|n|\0|\n|\x85|\u2028| ",
  ),
  fc.constantFrom("x".repeat(64), "\u{1F33F}".repeat(65)),
  unicodeText,
);
const parameter = join(
  mostly(join("limit"), join("%6cimit|l%69mi%74|LIMIT|limit[]|+limit||?limit")),
  mostly(join("="), join("==|&|=%ZZ|=%FF|=%|&&limit=|#")),
  encoded(limit),
);

type Header = readonly [name: string, value: string];
const header = (
  names: string,
  ...values: readonly (string | fc.Arbitrary<string>)[]
): fc.Arbitrary<Header> => fc.tuple(join(names), join(...values));

const token = fc.constantFrom(...Object.keys(ACCESS));
const credentials = header(
  "Authorization|AUTHORIZATION",
  "Bearer |bearer |BEARER   |Bearer\t|Bearer|Basic |NotBearer |Bearer=|\xa0|",
  mostly(token, join("test-expired|nobody|__proto__|=all|"), 2),
  "| |x|=|%41|,all| all|\xe9",
);
const authorization = mostly(
  token.map((token): Header[] => [["Authorization", `Bearer ${token}`]]),
  fc.array(credentials, { maxLength: 2 }),
  4,
);
const requested = header(
  "Access-Control-Request-Headers",
  "authorization,x-a|*|\xe9",
);
const preflight = fc.tuple(
  header("Origin", "https://a.example"),
  header("Access-Control-Request-Method", "GET"),
  requested,
);
const others = fc.array(
  fc.oneof(
    header(
      "If-None-Match",
      '"a", |W/"a",|x\t,|"b,|',
      'ETAG|W/ETAG|UNQUOTED|*|""|"a,b"',
      '|, "a"|,|, x',
    ),
    header("Origin", "https://a.example|http://b|null||https://a.example, x"),
    header("Access-Control-Request-Method", "GET|"),
    requested,
    header("X-Request-Id", "abc|a b|\xe9||", "1|" + "x".repeat(64)),
    header("Host", "a|[::1]|a,b|caf%C3%A9||[::1%25eth0]", "|:80|:x|/|@|%2"),
    header("X-HTTP-Method-Override|__proto__|If-Match|Range", "DELETE|*"),
  ),
  { maxLength: 4 },
);

const requests = fc.record({
  method,
  target: join(prefix, mostly(join("BASE"), join("/API/v1||/api")), path),
  query: fc.array(parameter, { maxLength: 2 }),
  headers: fc.tuple(authorization, mostly(others, preflight, 4))
    .map((each) => each.flat()),
});

const model: Model = {
  basePath: "",
  cors: "*",
  documents: DOCUMENTS,
  plants: PLANTS,
  users: new Map(Object.entries(ACCESS)),
};
const MODELS: readonly Model[] = [
  model,
  { ...model, basePath: "/api/v1", cors: ["https://a.example", "http://b"] },
  { ...model, cors: "off", hasIds: true },
  { ...model, failure: "broken" },
  { ...model, failure: "unavailable" },
];

/** Returns a store with the users of another one, in which nothing else works. */
function breakStore({ authenticate }: PlantStore, error: Error): PlantStore {
  const fail = () => {
    throw error;
  };
  return {
    ready: fail,
    authenticate: async (token) =>
      await authenticate(token) && { name: "u", list: fail },
  };
}

const services = MODELS.map((model) => {
  const store = createMemoryStore({
    plants: PLANTS,
    users: Object.fromEntries(
      Array.from(model.users, ([token, plants]) => [
        token,
        { plants, tokens: [token] },
      ]),
    ),
  });
  const { basePath, cors, hasIds, failure } = model;
  const error = failure === "unavailable"
    ? new StoreUnavailableError()
    : new Error("secret detail");
  return createService(failure ? breakStore(store, error) : store, {
    ...basePath && { basePath },
    ...hasIds && { onResponse() {} },
    ...{ cors, openapi, onError() {} },
  });
});

/** Sends a request to a service of the HTTP layer. */
async function send(
  { method, target, headers }: CaseRequest,
  at: number,
) {
  const { status, headers: names, body = "" } = await services[at]!.respond({
    method,
    target,
    origin: () => "http://localhost",
    header(name) {
      const values = headers.filter(([each]) => each.toLowerCase() === name)
        .map(([, value]) => value.replace(/^[ \t]+|[ \t]+$/g, ""));
      return values.length === 0 ? undefined : values.join(", ");
    },
  });
  const found = new Headers();
  for (let at = 0; at < names.length; at += 2) {
    found.append(names[at]!, names[at + 1]!);
  }
  const text = typeof body === "string"
    ? body
    : new TextDecoder().decode(body as Uint8Array);
  return { status, headers: found, body: text };
}

test("the service responds to generated requests as the model does", async () => {
  const statuses = new Set<number>();
  const service = fc.nat(MODELS.length - 1);
  await fc.assert(
    fc.asyncProperty(service, requests, async (at, { query, ...parts }) => {
      const model = MODELS[at]!;
      const target = parts.target.replace("BASE", model.basePath) +
        (query.length > 0 ? `?${query.join("&")}` : "");
      const request = { ...parts, target };
      const { etag = '"other"' } = predict(request, model).headers;
      const headers = parts.headers.map(([name, value]): Header => [
        name,
        value.replace("ETAG", etag).replace("UNQUOTED", etag.slice(1, -1)),
      ]);
      const filled = { ...request, headers };
      const response = await send(filled, at);
      const expected = predict(filled, model);
      const isHead = parts.method === "HEAD";
      assertEquals(...toComparable(expected, response, isHead));
      statuses.add(response.status);
    }),
    { numRuns: Number(globalThis.process?.env["RUNS"] ?? 2_000) },
  );
  const missing = [200, 204, 304, 400, 401, 404, 405]
    .filter((status) => !statuses.has(status));
  assert(missing.length === 0, `no response had status ${missing}`);
});
