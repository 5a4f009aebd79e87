import { PLANTS } from "./data.ts";

// The contract as data: a request and its response for each statement of
// docs/http-api.md. A test case asserts only what that page states.

/** A request of the contract. */
export interface CaseRequest {
  /** Default: `GET`. */
  readonly method?: string;
  /** The request target, without the base path. Default: `/plants`. */
  readonly target?: string;
  /** The headers in their order; a name can be repeated. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** The body of the request. */
  readonly content?: string;
  /** Whether the connection stays open for the next request. */
  readonly keep?: true;
  /** Whether the request has no Host header. */
  readonly withoutHost?: true;
}

/** A response as it is received. */
export interface CaseResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The requirements for a response. An absent property allows any value. */
export interface Expected {
  /** The status, or the statuses that are allowed. */
  readonly status?: number | readonly number[];
  /** The required headers by name. `null` means that the header must be absent. */
  readonly has?: Readonly<Record<string, string | RegExp | null>>;
  /** The body: the value of its JSON, a pattern for its text, or `""`. */
  readonly body?: unknown;
}

/** The part of docs/http-api.md that a test case belongs to. */
export type Level = "core" | "http";

/** The ID of a test case, its level, and the section that it tests. */
export interface CaseInfo {
  /** The words of the ID, separated by dots: `limit.rejected.empty`. */
  readonly id: string;
  /** The level: `core` or `http`. */
  readonly level: Level;
  /** The section of docs/http-api.md. */
  readonly section: number;
}

/** A test case: a request and the response to it. */
export interface Case extends CaseRequest, Expected, CaseInfo {
  readonly status: number | readonly number[];
  /**
   * The previous request. The ETag of its response replaces `ETAG` in the headers.
   * Default: a request for the list of all plants.
   */
  readonly before?: CaseRequest;
  /** Whether only a server can receive the request; a handler cannot. */
  readonly server?: true;
  /** Whether the response can come from the runtime, so that no rule applies. */
  readonly bare?: true;
}

/** A test case that checks the responses to all other test cases. */
export interface Rule extends CaseInfo {
  /** Returns the requirements for a response, or `undefined` if the rule does not apply. */
  expect(
    request: CaseRequest,
    response: CaseResponse,
  ): Expected | undefined;
}

/**
 * Sends a request and receives the response.
 *
 * @param signal Aborts the request.
 * @throws {Error} If there is no complete response.
 */
export type Send = (
  request: CaseRequest,
  signal: AbortSignal,
) => Promise<CaseResponse>;

/** The titles of the sections of docs/http-api.md. */
export const SECTIONS: readonly string[] = [
  "Resources",
  "Authentication",
  "Limit",
  "Status codes",
  "Headers",
  "Conditional requests",
  "HEAD, OPTIONS, and CORS",
  "Paths",
  "Health checks, API explorer, and OpenAPI document",
  "Order of checks",
  "Ignored input",
];

type Entry = Omit<Case, "level" | "section">;

const [MONSTERA, FERN, ROSE, HORSETAIL, SMALL_ROSE, ODD] = PLANTS;

const bearer = (token: string) => `Authorization: Bearer ${token}`;
const ifNoneMatch = (etags: string) => `If-None-Match: ${etags}`;
const TOKEN = bearer("all");
const MIXED = bearer("mixed");
const SAME = ifNoneMatch("ETAG");
const ANY = ifNoneMatch("*");
const OTHER = ifNoneMatch('"a"');
const UNKNOWN = bearer("nobody");
const HOST = "Host: a.example";
const BAD_HOST = "Host: h/";
const ORIGIN = "Origin: https://a.example";
const REQUESTED = "Access-Control-Request-Method: GET";
const JSON_TYPE = "Content-Type: application/json";
const CHUNKED = "Transfer-Encoding: chunked";
const GZIP = "Transfer-Encoding: gzip, chunked";
const FUTURE = "Thu, 01 Jan 2099 00:00:00 GMT";
const PAST = "Sat, 01 Jan 2000 00:00:00 GMT";
const LONG = "x".repeat(8_000);
const TOO_LONG = "x".repeat(8_200);
const FILLER = `X-Filler: ${LONG}`;

const METHODS = "GET, HEAD, OPTIONS";
const CHALLENGE = 'Bearer realm="plant-store"';
/** The response to a request without bearer credentials. */
const NO_TOKEN = { has: { "www-authenticate": CHALLENGE } };
/** The response to a request with an invalid token. */
const INVALID_TOKEN = {
  has: { "www-authenticate": `${CHALLENGE}, error="invalid_token"` },
};
const NO_STORE = { has: { "cache-control": "no-store" } };
const HEALTHY = { body: { status: "ok" } };
const SERVER = { server: true } as const;
/** A request to which the runtime of a server can respond. */
const RUNTIME = { server: true, bare: true } as const;
/** A request with a body. */
const CONTENT = { ...SERVER, content: "x" } as const;
/** A body that is a request itself, for servers that do not read bodies. */
const SMUGGLED = `GET /healthz HTTP/1.1\r\n${HOST}\r\n\r\n`;
const SMUGGLED_LENGTH = `Content-Length: ${SMUGGLED.length}`;

/** Test cases of one level and one section. */
const group = (
  level: Level,
  section: number,
  entries: readonly Entry[],
): readonly Case[] => entries.map((entry) => ({ ...entry, level, section }));

/** A request line and headers, such as `GET /plants` and `Host: h`, and the response. */
function request(
  id: string,
  line: string,
  status: Case["status"],
  headers: readonly string[] = [],
  rest: Partial<Entry> = {},
): Entry {
  const [method = "GET", target = ""] = line.split(" ");
  const hasBody = method !== "HEAD" && status !== 204 && status !== 304;
  const body = hasBody ? rest : { body: "", ...rest };
  return {
    id,
    method,
    target,
    status,
    headers: headers.map(toHeader),
    ...body,
  };
}

function toHeader(line: string): readonly [name: string, value: string] {
  const [name = "", ...value] = line.split(": ");
  return [name, value.join(": ")];
}

/** The list at a target, by default for a user who sees all plants. */
const list = (
  id: string,
  target: string,
  body: readonly unknown[],
  headers: readonly string[] = [TOKEN],
  rest: Partial<Entry> = {},
): Entry => request(id, `GET ${target}`, 200, headers, { body, ...rest });

/** A request for all plants. */
const get = (
  id: string,
  status: Case["status"],
  headers: readonly string[],
  rest: Partial<Entry> = {},
): Entry => request(id, "GET /plants", status, headers, rest);

/** The plants that `GET /plants` lists for a token. */
const access = (id: string, token: string, body: readonly unknown[]): Entry =>
  list(`access.${id}`, "/plants", body, [bearer(token)]);

/** A query whose `limit` is rejected. */
const rejects = (id: string, query: string): Entry =>
  request(`limit.rejected.${id}`, `GET /plants?${query}`, 400, [TOKEN]);

/** `Authorization` headers that are rejected. */
const authorization = (
  id: string,
  values: readonly string[],
  rest: Expected,
): Entry => {
  const headers = values.map((value) => `Authorization: ${value}`);
  return get(`credentials.${id}`, 401, headers, rest);
};

/** A request without a token in the Authorization header. */
const noToken = (id: string, target: string, ...headers: string[]): Entry =>
  request(id, `GET ${target}`, 401, headers, NO_TOKEN);

/** A target that does not exist. */
const missing = (id: string, target: string): Entry =>
  request(`path.missing.${id}`, `GET ${target}`, 404, [TOKEN]);

/** A target that is another form of `/plants`. */
const found = (id: string, target: string): Entry =>
  list(`path.found.${id}`, target, PLANTS);

/** A request for all plants with a `Host`. */
const host = (id: string, value: string, status: 200 | 400): Entry =>
  get(`host.${id}`, status, [`Host: ${value}`, TOKEN]);

/** An `If-None-Match`, where ETAG is the ETag of the plain response. */
const conditional = (id: string, etags: string): Entry =>
  get(`conditional.${id}`, 304, [TOKEN, ifNoneMatch(etags)]);

/** An `If-None-Match` that does not match. */
const changed = (id: string, etags: string): Entry =>
  list(`conditional.${id}`, "/plants", PLANTS, [TOKEN, ifNoneMatch(etags)]);

/** A preflight. */
const preflight = (id: string, target: string): Entry =>
  request(`preflight.${id}`, `OPTIONS ${target}`, 204, [
    ORIGIN,
    REQUESTED,
    "Access-Control-Request-Headers: authorization",
  ]);

/** Headers that have no effect on the list of all plants. */
const ignored = (id: string, ...headers: string[]): Entry =>
  list(`ignored.${id}`, "/plants", PLANTS, [TOKEN, ...headers]);

/** A request after a request with a body, on the same connection. */
const afterBody = (id: string, method: string, header: string): Entry => {
  const headers = [TOKEN, header].map(toHeader);
  const before = { method, headers, content: SMUGGLED, keep: true } as const;
  const rest = { before, server: true } as const;
  return list(`ignored.${id}`, "/plants?limit=1", [MONSTERA], [TOKEN], rest);
};

/** The test cases, in the order in which they are sent. */
export const CASES: readonly Case[] = [
  ...group("core", 1, [
    list("list.all", "/plants", PLANTS),
    access("none", "none", []),
    access("ferns", "ferns", [FERN]),
    access("flowers", "flowers", [ROSE]),
    access("roses", "roses", [ROSE, SMALL_ROSE]),
    access("mixed", "mixed", [MONSTERA, ROSE, HORSETAIL]),
    access("odd", "odd", [ODD, ODD]),
    access("constructor", "constructor", [SMALL_ROSE]),
    access("tag-case", "tag-case", []),
    access("name-case", "name-case", []),
  ]),
  ...group("core", 2, [
    access("characters", "a.b-c_d~e+f/g==", PLANTS),
    access("valid", "valid", PLANTS),
  ]),

  ...group("core", 3, [
    list("limit.two", "/plants?limit=2", [MONSTERA, FERN]),
    list("limit.one", "/plants?limit=1", [MONSTERA]),
    list("limit.zero", "/plants?limit=0", []),
    list("access.limited", "/plants?limit=2", [MONSTERA, ROSE], [MIXED]),
    list("limit.size", "/plants?limit=7", PLANTS),
    list("limit.more", "/plants?limit=8", PLANTS),
    list("limit.int32", "/plants?limit=2147483647", PLANTS),
    list("limit.escaped", "/plants?limit=%31", [MONSTERA]),
    list("limit.escaped-name", "/plants?%6c%69mit=1", [MONSTERA]),
    list("limit.ampersands", "/plants?&&limit=3&", [MONSTERA, FERN, ROSE]),
    list("limit.case", "/plants?LIMIT=x", PLANTS),
    list("limit.brackets", "/plants?limit[]=x", PLANTS),
    list("limit.question-mark", "/plants??limit=1", PLANTS),
    list("limit.space-name", "/plants?%20limit=x", PLANTS),
    rejects("negative", "limit=-1"),
    rejects("minus-zero", "limit=-0"),
    rejects("leading-zero", "limit=007"),
    rejects("zeros", "limit=00"),
    rejects("exponent", "limit=1e3"),
    rejects("hexadecimal", "limit=0x10"),
    rejects("fraction", "limit=5.5"),
    rejects("point", "limit=5.0"),
    rejects("space", "limit=%205"),
    rejects("plus", "limit=+5"),
    rejects("plus-sign", "limit=%2B5"),
    rejects("empty", "limit="),
    rejects("bare", "limit"),
    rejects("full-width", "limit=%EF%BC%92"),
    rejects("nul", "limit=5%00"),
    rejects("line-feed", "limit=5%0A"),
    rejects("bad-escape", "limit=%ZZ"),
    rejects("bad-utf8", "limit=%FF"),
    rejects("quote", "limit=%22"),
    rejects("word", "limit=null"),
    rejects("comma", "limit=1,2"),
    rejects("semicolon", "limit=1;2"),
    rejects("over-int32", "limit=2147483648"),
    rejects("huge", "limit=99999999999999999999"),
    rejects("twice", "limit=1&limit=2"),
    rejects("twice-equal", "limit=1&limit=1"),
    rejects("twice-escaped", "limit=1&%6Cimit=1"),
    rejects("escaped-name", "%6cimit=x"),
  ]),

  ...group("core", 2, [
    noToken("credentials.none", "/plants"),
    authorization("empty", [""], NO_TOKEN),
    authorization("basic", ["Basic all"], NO_TOKEN),
    authorization("bare-token", ["all"], NO_TOKEN),
    authorization("longer-scheme", ["BearerX all"], NO_TOKEN),
    authorization("prefixed-scheme", ["NotBearer all"], NO_TOKEN),
    authorization("scheme-alone", ["Bearer"], {}), // either challenge
    authorization("unknown", ["Bearer nobody"], INVALID_TOKEN),
    authorization("case-of-token", ["Bearer ALL"], INVALID_TOKEN),
    authorization("two-tokens", ["Bearer all all"], INVALID_TOKEN),
    authorization("quoted", ['Bearer "all"'], INVALID_TOKEN),
    authorization("tab", ["Bearer\tall"], INVALID_TOKEN),
    authorization("comma", ["Bearer all,"], INVALID_TOKEN),
    authorization("equals-first", ["Bearer =all"], INVALID_TOKEN),
    authorization("expired", ["Bearer expired"], INVALID_TOKEN),
    ...["__proto__", "toString", "hasOwnProperty", "prototype"].map((name) =>
      authorization(`name.${name}`, [`Bearer ${name}`], INVALID_TOKEN)
    ),
    list("credentials.scheme-case", "/plants", PLANTS, [
      "authorization: bEARER all",
    ]),
    list("credentials.spaces", "/plants", PLANTS, [bearer("   all")]),
  ]),
  ...group("core", 4, [
    ...["POST", "PUT", "PATCH", "DELETE"].map((method) =>
      request(`method.${method}`, `${method} /plants`, 405)
    ),
  ]),
  ...group("core", 10, [
    noToken("credentials.before-limit", "/plants?limit=x"),
    request("method.after-path", "POST /nope", 404),
    request("method.before-credentials", "DELETE /plants", 405, [UNKNOWN], {
      has: { "www-authenticate": null },
    }),
  ]),
  ...group("core", 11, [
    list("query.others", "/plants?__proto__=1&page=x", PLANTS),
    list("query.empty", "/plants?", PLANTS),
    list("query.mixed", "/plants?page=2&limit=1", [MONSTERA]),
    noToken("credentials.query", "/plants?access_token=all"),
  ]),
  ...group("core", 7, [
    request("head.list", "HEAD /plants", 200, [TOKEN]),
    request("head.limit", "HEAD /plants?limit=x", 400, [TOKEN]),
    request("head.unauthorized", "HEAD /plants", 401, [], NO_TOKEN),
    request("head.missing", "HEAD /nope", 404),
  ]),
  ...group("core", 8, [
    missing("other", "/nope"),
    missing("slash", "/plants/"),
    missing("case", "/Plants"),
    missing("longer", "/plantsx"),
    missing("inner", "/plants/Monstera"),
    missing("parameter", "/plants;v=1"),
    missing("prototype", "/__proto__"),
    missing("constructor", "/constructor"),
  ]),

  ...group("http", 2, [
    authorization("hyphenated-scheme", ["Bearer-X all"], NO_TOKEN),
    authorization("basic-first", ["Basic x", "Bearer all"], NO_TOKEN),
    authorization("empty-first", ["", "Bearer all"], NO_TOKEN),
    authorization("twice", ["Bearer all", "Bearer all"], INVALID_TOKEN),
    authorization("good-first", ["Bearer all", "Bearer nobody"], INVALID_TOKEN),
    authorization("good-last", ["Bearer nobody", "Bearer all"], INVALID_TOKEN),
    authorization("bearer-first", ["Bearer all", "Basic x"], INVALID_TOKEN),
  ]),
  ...group("http", 4, [
    request("method.QUERY", "QUERY /plants", 405),
    request("method.PROPFIND", "PROPFIND /plants", 405),
    request("method.unknown", "FOO /plants", [400, 405, 501], [], RUNTIME),
    list("size.target-allowed", `/plants?${LONG}`, PLANTS),
    request("size.target", `GET /plants?${TOO_LONG}`, 414, [TOKEN], SERVER),
    list("size.headers-allowed", "/plants", PLANTS, [TOKEN, FILLER]),
    get("size.headers", 431, [TOKEN, FILLER + "x".repeat(9_000)], RUNTIME),
    list("coding.chunked", "/plants", PLANTS, [TOKEN, CHUNKED], CONTENT),
    get("coding.unsupported", 400, [TOKEN, GZIP], { ...CONTENT, bare: true }),
    list("expect.continue", "/plants", PLANTS, [
      TOKEN,
      "Expect: 100-continue",
      "Content-Length: 1",
    ], CONTENT),
    get("expect.other", 417, [TOKEN, "Expect: 200-ok"], RUNTIME),
    get("host.missing", 400, [TOKEN], { ...RUNTIME, withoutHost: true }),
    get("host.twice", 400, [HOST, HOST, TOKEN], { bare: true }),
    host("bad.empty", "", 400),
    host("bad.path", "evil/x?y=", 400),
    host("bad.query", "h?x=", 400),
    host("bad.route", "h/plants?x=", 400),
    host("bad.fragment", "h#", 400),
    host("bad.user", "user@h", 400),
    host("bad.space", "a b", 400),
    host("bad.port", "h:x", 400),
    host("bad.two", "a, b", 400),
    host("bad.comma-port", "a:1:2", 400),
    host("bad.bracket", "[::1", 400),
    host("bad.bracket-name", "[zz]", 400),
    host("bad.bracket-short", "[1]", 400),
    host("bad.backslash", "a\\b", 400),
    host("bad.escape", "a%2", 400),
    host("bad.long", "a".repeat(256), 400),
    host("good.name", "plants.example", 200),
    host("good.comma", "a,b", 200),
    host("good.port", "plants.example:8000", 200),
    host("good.address", "127.0.0.1:1", 200),
    host("good.address6", "[::1]:8000", 200),
    host("good.underscore", "plant_store", 200),
    host("good.escaped", "caf%C3%A9.example", 200),
    host("good.long", `${"a".repeat(255)}:8000`, 200),
  ]),
  ...group("http", 10, [
    request("host.route", "GET /nope", 400, ["Host: h/plants?x=", TOKEN]),
    request("host.before-preflight", "OPTIONS /plants", 400, [
      BAD_HOST,
      ORIGIN,
      REQUESTED,
    ]),
    request("host.before-path", "GET /nope", 400, [BAD_HOST]),
  ]),
  ...group("http", 9, [
    request("health", "GET /healthz", 200, [], { ...HEALTHY, ...NO_STORE }),
    request("health.query", "GET /healthz?x", 200, [], HEALTHY),
    request("health.token", "GET /healthz", 200, [UNKNOWN], HEALTHY),
    request("ready", "GET /readyz", 200, [], NO_STORE),
    request("method.health", "POST /healthz", 405),
    request("method.ready", "POST /readyz", 405),
  ]),
  ...group("http", 6, [
    conditional("same", "ETAG"),
    conditional("weak", "W/ETAG"),
    conditional("list", '"a", W/ETAG, "b"'),
    conditional("list-weak", 'W/"a", W/ETAG'),
    conditional("list-tight", '"a",ETAG'),
    conditional("star", "*"),
    conditional("comma-inside", '"a,b", ETAG'),
    changed("other", '"a"'),
    changed("unquoted", "a"),
    changed("longer", '"xETAG"'),
    conditional("spaces", `"a"${" ".repeat(4000)}, ETAG`),
    get("conditional.twice", 304, [TOKEN, OTHER, SAME]),
    request("conditional.head", "HEAD /plants", 304, [TOKEN, SAME]),
    list("conditional.other-user", "/plants", [FERN], [bearer("ferns"), SAME]),
    list("conditional.other-limit", "/plants?limit=1", [MONSTERA], [
      TOKEN,
      SAME,
    ]),
    // Both lists have the same length.
    list("conditional.equal-length", "/plants", [ROSE], [
      bearer("flowers"),
      SAME,
    ], { before: { headers: [toHeader(bearer("constructor"))] } }),
    request("conditional.equal-body", "GET /plants?limit=7", 304, [
      bearer("a.b-c_d~e+f/g=="),
      SAME,
    ]),
    request("conditional.missing-path", "GET /nope", 404, [ANY]),
  ]),
  ...group("http", 10, [
    get("conditional.after-credentials", 401, [ANY]),
    request("conditional.after-limit", "GET /plants?limit=x", 400, [
      TOKEN,
      ANY,
    ]),
  ]),
  ...group("http", 7, [
    request("head.first", "HEAD /plants?limit=1", 200, [TOKEN]),
    request("head.health", "HEAD /healthz", 200),
    request("head.ready", "HEAD /readyz", 200),
    request("options.list", "OPTIONS /plants", 204),
    request("options.health", "OPTIONS /healthz", 204),
    request("options.asterisk", "OPTIONS *", 204, [], RUNTIME),
    request("options.missing", "OPTIONS /nope", 404),
    ...[ORIGIN, REQUESTED].map((header) => {
      const [name] = toHeader(header);
      return request(`options.${name}-alone`, "OPTIONS /plants", 204, [header]);
    }),
    list("cors.list", "/plants", PLANTS, [ORIGIN, TOKEN]),
    get("cors.same", 304, [ORIGIN, TOKEN, ANY]),
    get("cors.unauthorized", 401, [ORIGIN]),
    request("cors.bad-limit", "GET /plants?limit=x", 400, [ORIGIN, TOKEN]),
    request("cors.missing", "GET /nope", 404, [ORIGIN]),
    request("cors.health", "GET /healthz", 200, [ORIGIN]),
    request("cors.method", "POST /plants", 405, [ORIGIN]),
    preflight("plants", "/plants"),
    preflight("missing", "/nope"),
    preflight("health", "/healthz"),
    preflight("root", "/"),
  ]),
  ...group("http", 8, [
    missing("double-slash", "//plants"),
    missing("host-like", "//evil/plants"),
    missing("escaped-slash", "/x%2F..%2Fplants"),
    missing("escaped-first", "/%2Fplants"),
    missing("twice-escaped", "/%2570lants"),
    missing("escaped-mark", "/plants%3Flimit=1"),
    missing("nul", "/plants%00"),
    missing("asterisk", "/*"),
    missing("absolute", "http://other.example/nope"),
    found("escaped", "/%70lants"),
    found("escaped-all", "/%70%6C%61%6e%74%73"),
    found("dot", "/./plants"),
    found("dots", "/x/../plants"),
    found("escaped-dots", "/x/%2e%2E/plants"),
    found("above", "/../plants"),
    found("absolute", "http://other.example/plants"),
    found("absolute-port", "http://other.example:81/plants"),
    found("absolute-https", "https://other.example/plants"),
    list("path.absolute-query", "http://o.example/plants?limit=1", [MONSTERA]),
    request("path.absolute-host", "GET http://o.example/plants", 400, [
      BAD_HOST,
      TOKEN,
    ]),
  ]),
  ...group("http", 11, [
    ignored("accept", "Accept: text/html"),
    ignored("accept-encoding", "Accept-Encoding: gzip, br"),
    ignored("range", "Range: bytes=0-1"),
    ignored("if-match", 'If-Match: "a"'),
    ignored("if-modified-since", `If-Modified-Since: ${FUTURE}`),
    ignored("if-unmodified-since", `If-Unmodified-Since: ${PAST}`),
    ignored("content-type", "Content-Type: text/csv"),
    ignored("method-override", "X-HTTP-Method-Override: DELETE"),
    ignored("forwarded", "X-Forwarded-Prefix: /x", "X-Original-URL: /x"),
    request("ignored.method-override-post", "POST /plants", 405, [
      TOKEN,
      "X-HTTP-Method-Override: GET",
    ]),
    noToken("ignored.cookie", "/plants", "Cookie: access_token=all; token=all"),
    noToken("ignored.proxy-authorization", "/plants", `Proxy-${TOKEN}`),
    get("ignored.token-in-body", 401, [
      "Content-Type: application/x-www-form-urlencoded",
      "Content-Length: 16",
    ], { ...SERVER, ...NO_TOKEN, content: "access_token=all" }),
    list("ignored.body", "/plants?limit=1", [MONSTERA], [
      TOKEN,
      JSON_TYPE,
      "Content-Length: 9",
    ], { ...SERVER, content: '{"limit":' }),
    request("ignored.body-of-POST", "POST /plants", 405, [
      TOKEN,
      JSON_TYPE,
      "Content-Length: 1",
    ], { content: "{" }),
    afterBody("body-before-next", "POST", SMUGGLED_LENGTH),
    afterBody("GET-body-before-next", "GET", SMUGGLED_LENGTH),
    afterBody("chunks-before-next", "GET", CHUNKED),
  ]),
];

type Condition = (response: CaseResponse, request: CaseRequest) => boolean;

/** A rule for the headers of all responses to which a condition applies. */
const every = (
  id: string,
  level: Level,
  section: number,
  has: NonNullable<Expected["has"]>,
  applies: Condition = () => true,
): Rule => ({
  id: `every.${id}`,
  level,
  section,
  expect: (request, response) =>
    applies(response, request) ? { has } : undefined,
});

const hasBody: Condition = ({ body }, { method }) =>
  body !== "" && method !== "HEAD";
/** Whether a response is a list, or reports that a list has not changed. */
const isList: Condition = ({ status, body }) =>
  status === 200 && body.startsWith("[") || status === 304;
const isError: Condition = ({ status }) => status >= 400;
const isUnauthorized: Condition = ({ status }) => status === 401;
const isPreflight: Condition = ({ status }, { method, headers = [] }) =>
  status === 204 && method === "OPTIONS" &&
  [ORIGIN, REQUESTED].map(toHeader).every(([name]) =>
    headers.some(([each]) => each === name)
  );
const listsMethods: Condition = (response, request) =>
  response.status === 405 ||
  response.status === 204 && !isPreflight(response, request);

/** The test cases that concern every response. */
export const RULES: readonly Rule[] = [
  {
    id: "every.error-body",
    level: "core",
    section: 1,
    expect: ({ method }, { status }) =>
      status < 400 || method === "HEAD"
        ? undefined
        : { body: { error: status, message: /./ } },
  },
  every("challenge", "core", 2, {
    "www-authenticate": /^Bearer .*\brealm[ \t]*=[ \t]*"?plant-store\b/i,
  }, isUnauthorized),
  every("content-type", "core", 5, {
    "content-type": "application/json",
  }, hasBody),
  {
    id: "every.content-length",
    level: "http",
    section: 5,
    expect({ method }, { status, headers, body }) {
      if (!headers.has("content-length") || status === 304) return undefined;
      const { byteLength } = new TextEncoder().encode(body);
      return method === "HEAD"
        ? { has: { "content-length": /^\d+$/ } }
        : { has: { "content-length": `${byteLength}` } };
    },
  },
  every("etag", "http", 5, { etag: /^"[\x21\x23-\x7e\x80-\xff]*"$/ }, isList),
  every("private", "http", 5, { "cache-control": "private, no-cache" }, isList),
  every("vary", "http", 5, { vary: "Authorization" }, isList),
  every("no-store", "http", 5, NO_STORE.has, isError),
  every("allow", "http", 5, { allow: METHODS }, listsMethods),
  every("nosniff", "http", 5, { "x-content-type-options": "nosniff" }),
  every("allow-origin", "http", 5, { "access-control-allow-origin": "*" }),
  every("expose-headers", "http", 5, {
    "access-control-expose-headers":
      "ETag, WWW-Authenticate, Allow, Retry-After",
  }),
  every("preflight", "http", 5, {
    "access-control-allow-methods": METHODS,
    "access-control-allow-headers": "Authorization, *",
    "access-control-max-age": "600",
  }, isPreflight),
];
