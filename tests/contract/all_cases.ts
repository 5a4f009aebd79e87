import type { Access } from "../../mod.ts";
import type { Case as ContractCase } from "../../src/verify/case.ts";
import { CASES as CONTRACT } from "../../src/verify/cases.ts";
import { TOKENS, USERS } from "../../src/verify/data.ts";

export type { CaseRequest, CaseResponse } from "../../src/verify/case.ts";
export { PLANTS, USERS } from "../../src/verify/data.ts";

/** The options of the service: none, or a base path and an OpenAPI document. */
export type Setup = "open" | "based";

/** A test case of the contract, or for what only this implementation has. */
export interface Case
  extends Omit<ContractCase, "kind" | "level" | "section" | "title"> {
  /** Default: `"open"`. */
  readonly setup?: Setup;
  /** Whether only a server can receive the request; a handler cannot. */
  readonly needsServer?: true;
}

/** The token of the user whose lists always fail. */
export const FAILING_TOKEN = "test-failing";

/** What users can see, by their valid tokens. */
export const ACCESS: Readonly<Record<string, Access>> = Object.fromEntries(
  Array.from(TOKENS, ([user, token]) => [token, USERS[user]!] as const)
    .filter(([token, { tokens }]) =>
      token !== FAILING_TOKEN && !/"20/.test(JSON.stringify(tokens))
    )
    .map(([token, { plants }]) => [token, plants]),
);

type Header = readonly [name: string, value: string];

const bearer = (token: string): Header => ["Authorization", `Bearer ${token}`];
const ALL = bearer("test-all");
const ORIGIN: Header = ["Origin", "https://a.example"];
const REQUESTED: Header = ["Access-Control-Request-Method", "GET"];
const SAME: Header = ["If-None-Match", "ETAG"];
const FAILING = bearer(FAILING_TOKEN);
const HOST: Header = ["Host", "plants.example:81"];

type Status = NonNullable<ContractCase["expected"]["status"]>;

/** A request line, like `GET /plants`, and its response. */
function request(
  id: string,
  line: string,
  status: Status,
  headers: readonly Header[] = [],
  body?: unknown,
): Case {
  const [method = "GET", target = ""] = line.split(" ");
  return {
    id,
    request: { method, target, headers },
    expected: { status, body },
  };
}

/** A target that does not exist. */
const missing = (id: string, target: string): Case =>
  request(`path.missing.${id}`, `GET ${target}`, 404, [ALL]);

/** The unusual targets that this implementation finds, and those that it does not. */
const FOUND = {
  escaped: "/%70%6C%61%6e%74%73",
  dot: "/./plants",
  dots: "/x/../plants",
  "escaped-dots": "/x/%2e%2E/plants",
  above: "/../plants",
  absolute: "http://other.example/plants",
  "absolute-port": "http://other.example:81/plants",
  "absolute-https": "https://other.example/plants",
  fragment: "/plants#x",
  backslash: String.raw`/x\..\plants`,
};
const MISSING = {
  "double-slash": "//plants",
  "host-like": "//evil/plants",
  "escaped-slash": "/x%2F..%2Fplants",
  "escaped-first": "/%2Fplants",
  "escaped-last": "/plants%2F",
  "escaped-mark": "/plants%3Flimit=1",
  nul: "/plants%00",
  "dots-last": "/plants/x/..",
  "space-last": "/plants%20",
  health: "/healthz/",
  absolute: "http://other.example/nope",
  prototype: "/__proto__",
};

/** A target that is as long as servers accept, or longer. */
const long = (target: string, length: number) => target.padEnd(length, "x");

/** Cases that only servers can receive. bodies_test.ts and differences.ts have others. */
const onServers = (...cases: readonly Case[]): readonly Case[] =>
  cases.map((each) => ({ ...each, needsServer: true }));

/** A request for the list with other headers. */
const list = (id: string, status: Status, ...headers: Header[]): Case =>
  request(id, "GET /plants", status, headers);

/** What this implementation promises in addition. The contract allows other responses. */
// deno-fmt-ignore: one or two lines for each case
const STRICT: readonly Case[] = [
  list("credentials.twice", 401, ALL, ALL),
  list("credentials.good-last", 401, bearer("nobody"), ALL),
  list("credentials.good-first", 401, ALL, bearer("nobody")),
  list("credentials.bearer-first", 401, ALL, ["Authorization", "Basic x"]),
  list("credentials.basic-first", 401, ["Authorization", "Basic x"], ALL),
  list("credentials.empty-first", 401, ["Authorization", ""], ALL),
  list("credentials.tab", 401, ["Authorization", "Bearer\ttest-all"]),
  list("credentials.spaces", 200, ["Authorization", "Bearer   test-all"]),
  list("conditional.twice", 304, ALL, ["If-None-Match", '"a"'], SAME),
  list("conditional.twice-first", 304, ALL, SAME, ["If-None-Match", '"a"']),
  list("conditional.after-word", 304, ALL, ["If-None-Match", "a, ETAG"]),
  list("conditional.star-in-list", 200, ALL, ["If-None-Match", '"a", *']),
  list("conditional.quoted-comma", 304, ALL, ["If-None-Match", '"a,b", ETAG']),
  list("conditional.unbalanced", 200, ALL, ["If-None-Match", '"b,ETAG']),
  list("conditional.empty-etag", 200, ALL, ["If-None-Match", '""']),
  list("ignored.headers", 200, ALL, ["Accept", "text/html"], ["Accept-Encoding", "gzip"],
    ["Range", "bytes=0-1"], ["If-Match", '"a"'], ["Upgrade", "websocket"],
    ["If-Modified-Since", "Thu, 01 Jan 2099 00:00:00 GMT"]),
  ...["", "evil/x?y=", "user@h", "a b"].map((host) =>
    list(`host.bad.${host}`, 400, ALL, ["Host", host])
  ),
  ...["plants.example:8000", "[::1]:8000", "plant_store"].map((host) =>
    list(`host.good.${host}`, 200, ALL, ["Host", host])
  ),
  list("host.good.escaped", 200, ALL, ["Host", "caf%C3%A9.example"]),
  list("host.good.empty-port", 200, ALL, ["Host", "h:"]),
  ...Object.entries(FOUND).map(([id, target]) =>
    request(`path.found.${id}`, `GET ${target}`, 200, [ALL])
  ),
  ...Object.entries(MISSING).map(([id, target]) => missing(id, target)),
  ...["PROPFIND", "QUERY"].map((method) =>
    request(`method.${method}`, `${method} /plants`, 405)
  ),
  request("options.list", "OPTIONS /plants", 204),
  request("options.missing", "OPTIONS /nope", 404),
  request("failing.after-limit", "GET /plants?limit=x", 400, [FAILING]),
  request("failing.before-conditional", "GET /plants", 503, [FAILING, SAME]),
  request("size.target-allowed", `GET ${long("/plants?", 8_192)}`, 200, [ALL]),
  list("size.headers-allowed", 200, ALL, ["X", "x".repeat(16_000)]),
  ...onServers(
    request("options.asterisk", "OPTIONS *", 204),
    request("path.missing.asterisk-alone", "GET *", [400, 404], [ALL]),
    request("path.missing.relative", "GET plants", [400, 404], [ALL]),
    request("size.target", `GET ${long("/plants?", 8_193)}`, 414, [ALL]),
    request("size.before-path", `GET ${long("/nope?", 8_193)}`, 414),
    request("size.after-preflight", `OPTIONS ${long("/nope?", 8_193)}`, 204, [ORIGIN, REQUESTED]),
    request("method.TRACE", "TRACE /plants", [400, 405, 501], [ALL]),
    list("expect.continue", 200, ALL, ["Expect", "100-continue"]),
    list("expect.other", 417, ALL, ["Expect", "200-ok"]),
  ),
];

/** Cases with a base path and an OpenAPI document. */
const based = (cases: readonly Case[]): readonly Case[] =>
  cases.map((each) => ({ ...each, setup: "based" }));

const OPENAPI = "/api/v1/openapi.json";

/** A long `limit`, which the message truncates. */
const cuts = (id: string, limit: string): Case =>
  request(`limit.rejected.${id}`, `GET /plants?limit=${limit}`, 400, [ALL]);

/**
 * The test cases of the contract, and those for what only this implementation has. The
 * model predicts the rest of each response.
 */
export const CASES: readonly Case[] = [
  ...CONTRACT,
  ...STRICT,

  // Messages
  cuts("longest", "x".repeat(64)),
  cuts("cut", `${"x".repeat(64)}y`),
  cuts("cut-character", "%F0%9F%8C%BF".repeat(65)),

  // Paths at which services can have the API explorer and the OpenAPI document
  missing("root", "/"),
  missing("absolute-root", "http://other.example"),
  missing("absolute-other", "http://plants/"),
  missing("page", "/?x"),
  missing("openapi", "/openapi.json"),

  ...based([
    request("base.list", "GET /api/v1/plants?limit=1", 200, [ALL]),
    request("base.health", "GET /api/v1/healthz", 200),
    request("base.ready", "GET /api/v1/readyz", 200),
    request("base.outside", "GET /plants", 404, [ALL], /try \/api\/v1\/plants/),
    request("base.health-outside", "GET /healthz", 404),
    request("base.twice", "GET /api/v1/api/v1/plants", 404),
    request("base.escaped", "GET /%61pi/v1/healthz", 200),
    request(
      "openapi",
      `GET ${OPENAPI}`,
      200,
      [HOST],
      /"url": "http:\/\/plants\.example:81\/api\/v1"/,
    ),
    request(
      "openapi.absolute",
      `GET http://o.example:82${OPENAPI}`,
      200,
      [HOST],
      /"url": "http:\/\/o\.example:82\/api\/v1"/,
    ),
    request("openapi.head", `HEAD ${OPENAPI}`, 200),
    request("openapi.same", `GET ${OPENAPI}`, 304, [["If-None-Match", "*"]]),
    request("openapi.method", `POST ${OPENAPI}`, 405),
    request("openapi.options", `OPTIONS ${OPENAPI}`, 204),
    request("openapi.outside", "GET /openapi.json", 404),
  ]),
];
