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
type Header = readonly [name: string, value: string];

const [MONSTERA, FERN, ROSE, HORSETAIL, SMALL_ROSE, ODD] = PLANTS;

const bearer = (token: string): Header => ["Authorization", `Bearer ${token}`];
const ifNoneMatch = (etags: string): Header => ["If-None-Match", etags];
const ALL = [bearer("all")];
const METHODS = "GET, HEAD, OPTIONS";
const ORIGIN: Header = ["Origin", "https://a.example"];
const REQUESTED: Header = ["Access-Control-Request-Method", "GET"];

const CHALLENGE = 'Bearer realm="plant-store"';
/** The response to a request without bearer credentials. */
const NO_TOKEN = { has: { "www-authenticate": CHALLENGE } };
/** The response to a request with an invalid token. */
const INVALID_TOKEN = {
  has: { "www-authenticate": `${CHALLENGE}, error="invalid_token"` },
};

/** Test cases of one level and one section. */
const group = (
  level: Level,
  section: number,
  entries: readonly Entry[],
): readonly Case[] => entries.map((entry) => ({ ...entry, level, section }));

/** A request line, like `GET /plants`, and the status of its response. */
function request(
  id: string,
  line: string,
  status: Case["status"],
  rest: Omit<Entry, "id" | "method" | "target" | "status"> = {},
): Entry {
  const [method = "GET", target = ""] = line.split(" ");
  return { id, method, target, status, ...rest };
}

/** The plants that `GET /plants` lists for a token. */
const lists = (id: string, token: string, body: readonly unknown[]): Entry =>
  request(`access.${id}`, "GET /plants", 200, {
    headers: [bearer(token)],
    body,
  });

/** The plants that a query lists for the user who can see all of them. */
const accepts = (id: string, query: string, body: readonly unknown[]): Entry =>
  request(id, `GET /plants?${query}`, 200, { headers: ALL, body });

/** A query whose `limit` is rejected. */
const rejects = (id: string, query: string): Entry =>
  request(`limit.rejected.${id}`, `GET /plants?${query}`, 400, {
    headers: ALL,
  });

/** `Authorization` headers that are rejected. */
const authorization = (
  id: string,
  values: readonly string[],
  rest: Expected,
): Entry =>
  request(`credentials.${id}`, "GET /plants", 401, {
    headers: values.map((value) => ["Authorization", value]),
    ...rest,
  });

/** A target that does not exist. */
const missing = (id: string, target: string): Entry =>
  request(`path.missing.${id}`, `GET ${target}`, 404, { headers: ALL });

/** A target that is another form of `/plants`. */
const found = (id: string, target: string): Entry =>
  request(`path.found.${id}`, `GET ${target}`, 200, {
    headers: ALL,
    body: PLANTS,
  });

/** A request for all plants with a `Host`. */
const host = (id: string, value: string, status: 200 | 400): Entry =>
  request(`host.${id}`, "GET /plants", status, {
    headers: [["Host", value], bearer("all")],
  });

/** An `If-None-Match`, where ETAG is the ETag of the plain response. */
const conditional = (id: string, etags: string, status: 200 | 304): Entry =>
  request(`conditional.${id}`, "GET /plants", status, {
    headers: [bearer("all"), ifNoneMatch(etags)],
    body: status === 304 ? "" : PLANTS,
  });

/** A preflight. */
const preflight = (id: string, target: string): Entry =>
  request(`preflight.${id}`, `OPTIONS ${target}`, 204, {
    headers: [
      ORIGIN,
      REQUESTED,
      ["Access-Control-Request-Headers", "authorization"],
    ],
    body: "",
  });

/** A header that has no effect on the list of all plants. */
const ignored = (id: string, ...headers: readonly Header[]): Entry =>
  request(`ignored.${id}`, "GET /plants", 200, {
    headers: [bearer("all"), ...headers],
    body: PLANTS,
  });

/** A request after a request with a body, on the same connection. */
const afterBody = (
  id: string,
  method: string,
  content: string,
  ...headers: readonly Header[]
): Entry =>
  request(`ignored.${id}`, "GET /plants?limit=1", 200, {
    headers: ALL,
    before: {
      method,
      headers: [bearer("all"), ...headers],
      content,
      keep: true,
    },
    body: [MONSTERA],
    server: true,
  });

/** A body that is a request itself, for servers that do not read bodies. */
const SMUGGLED = "GET /healthz HTTP/1.1\r\nHost: a.example\r\n\r\n";

/** The test cases, in the order in which they are sent. */
export const CASES: readonly Case[] = [
  ...group("core", 1, [
    request("list.all", "GET /plants", 200, { headers: ALL, body: PLANTS }),
    lists("none", "none", []),
    lists("ferns", "ferns", [FERN]),
    lists("flowers", "flowers", [ROSE]),
    lists("roses", "roses", [ROSE, SMALL_ROSE]),
    lists("mixed", "mixed", [MONSTERA, ROSE, HORSETAIL]),
    lists("odd", "odd", [ODD]),
    lists("constructor", "constructor", [SMALL_ROSE]),
    lists("tag-case", "tag-case", []),
    lists("name-case", "name-case", []),
  ]),
  ...group("core", 2, [
    lists("characters", "a.b-c_d~e+f/g==", PLANTS),
    lists("valid", "valid", PLANTS),
  ]),

  ...group("core", 3, [
    accepts("limit.two", "limit=2", [MONSTERA, FERN]),
    accepts("limit.one", "limit=1", [MONSTERA]),
    accepts("limit.zero", "limit=0", []),
    request("access.limited", "GET /plants?limit=2", 200, {
      headers: [bearer("mixed")],
      body: [MONSTERA, ROSE],
    }),
    accepts("limit.size", "limit=6", PLANTS),
    accepts("limit.more", "limit=7", PLANTS),
    accepts("limit.int32", "limit=2147483647", PLANTS),
    accepts("limit.escaped", "limit=%31", [MONSTERA]),
    accepts("limit.escaped-name", "%6c%69mit=1", [MONSTERA]),
    accepts("limit.ampersands", "&&limit=3&", [MONSTERA, FERN, ROSE]),
    accepts("limit.case", "LIMIT=x", PLANTS),
    accepts("limit.brackets", "limit[]=x", PLANTS),
    accepts("limit.question-mark", "?limit=1", PLANTS),
    accepts("limit.space-name", "%20limit=x", PLANTS),
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
    request("credentials.none", "GET /plants", 401, NO_TOKEN),
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
    request("credentials.scheme-case", "GET /plants", 200, {
      headers: [["authorization", "bEARER all"]],
      body: PLANTS,
    }),
    request("credentials.spaces", "GET /plants", 200, {
      headers: [["Authorization", "Bearer    all"]],
      body: PLANTS,
    }),
  ]),
  ...group("core", 4, [
    ...["POST", "PUT", "PATCH", "DELETE"].map((method) =>
      request(`method.${method}`, `${method} /plants`, 405)
    ),
  ]),
  ...group("core", 10, [
    request("credentials.before-limit", "GET /plants?limit=x", 401, NO_TOKEN),
    request("method.after-path", "POST /nope", 404),
    request("method.before-credentials", "DELETE /plants", 405, {
      headers: [bearer("nobody")],
      has: { "www-authenticate": null },
    }),
  ]),
  ...group("core", 11, [
    accepts("query.others", "__proto__=1&page=x", PLANTS),
    accepts("query.empty", "", PLANTS),
    accepts("query.mixed", "page=2&limit=1", [MONSTERA]),
    request("credentials.query", "GET /plants?access_token=all", 401, NO_TOKEN),
  ]),
  ...group("core", 7, [
    request("head.list", "HEAD /plants", 200, { headers: ALL, body: "" }),
    request("head.limit", "HEAD /plants?limit=x", 400, {
      headers: ALL,
      body: "",
    }),
    request("head.unauthorized", "HEAD /plants", 401, {
      ...NO_TOKEN,
      body: "",
    }),
    request("head.missing", "HEAD /nope", 404, { body: "" }),
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
    request("method.unknown", "FOO /plants", [400, 405, 501], {
      server: true,
      bare: true,
    }),
    request("size.target-allowed", `GET /plants?${"x".repeat(8_000)}`, 200, {
      headers: ALL,
      body: PLANTS,
    }),
    request("size.target", `GET /plants?${"x".repeat(8_200)}`, 414, {
      headers: ALL,
      server: true,
    }),
    request("size.headers-allowed", "GET /plants", 200, {
      headers: [bearer("all"), ["X-Filler", "x".repeat(8_000)]],
      body: PLANTS,
    }),
    request("size.headers", "GET /plants", 431, {
      headers: [bearer("all"), ["X-Filler", "x".repeat(17_000)]],
      server: true,
      bare: true,
    }),
    request("coding.chunked", "GET /plants", 200, {
      headers: [bearer("all"), ["Transfer-Encoding", "chunked"]],
      content: "x",
      body: PLANTS,
      server: true,
    }),
    request("coding.unsupported", "GET /plants", 400, {
      headers: [bearer("all"), ["Transfer-Encoding", "gzip, chunked"]],
      content: "x",
      server: true,
      bare: true,
    }),
    request("expect.continue", "GET /plants", 200, {
      headers: [
        bearer("all"),
        ["Expect", "100-continue"],
        ["Content-Length", "1"],
      ],
      content: "x",
      body: PLANTS,
      server: true,
    }),
    request("expect.other", "GET /plants", 417, {
      headers: [bearer("all"), ["Expect", "200-ok"]],
      server: true,
      bare: true,
    }),
    request("host.missing", "GET /plants", 400, {
      headers: ALL,
      withoutHost: true,
      server: true,
      bare: true,
    }),
    request("host.twice", "GET /plants", 400, {
      headers: [["Host", "a.example"], ["Host", "a.example"], bearer("all")],
      bare: true,
    }),
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
    request("host.route", "GET /nope", 400, {
      headers: [["Host", "h/plants?x="], bearer("all")],
    }),
    request("host.before-preflight", "OPTIONS /plants", 400, {
      headers: [["Host", "h/"], ORIGIN, REQUESTED],
    }),
    request("host.before-path", "GET /nope", 400, {
      headers: [["Host", "h/"]],
    }),
  ]),
  ...group("http", 9, [
    request("health", "GET /healthz", 200, {
      has: { "cache-control": "no-store" },
      body: { status: "ok" },
    }),
    request("health.query", "GET /healthz?x", 200, { body: { status: "ok" } }),
    request("health.token", "GET /healthz", 200, {
      headers: [bearer("nobody")],
      body: { status: "ok" },
    }),
    request("ready", "GET /readyz", 200, {
      has: { "cache-control": "no-store" },
    }),
    request("method.health", "POST /healthz", 405),
    request("method.ready", "POST /readyz", 405),
  ]),
  ...group("http", 6, [
    conditional("same", "ETAG", 304),
    conditional("weak", "W/ETAG", 304),
    conditional("list", '"a", W/ETAG, "b"', 304),
    conditional("list-weak", 'W/"a", W/ETAG', 304),
    conditional("list-tight", '"a",ETAG', 304),
    conditional("star", "*", 304),
    conditional("comma-inside", '"a,b", ETAG', 304),
    conditional("other", '"a"', 200),
    conditional("unquoted", "a", 200),
    conditional("longer", '"xETAG"', 200),
    conditional("spaces", `"a"${" ".repeat(4000)}, ETAG`, 304),
    request("conditional.twice", "GET /plants", 304, {
      headers: [bearer("all"), ifNoneMatch('"a"'), ifNoneMatch("ETAG")],
      body: "",
    }),
    request("conditional.head", "HEAD /plants", 304, {
      headers: [bearer("all"), ifNoneMatch("ETAG")],
      body: "",
    }),
    request("conditional.other-user", "GET /plants", 200, {
      headers: [bearer("ferns"), ifNoneMatch("ETAG")],
      body: [FERN],
    }),
    request("conditional.other-limit", "GET /plants?limit=1", 200, {
      headers: [bearer("all"), ifNoneMatch("ETAG")],
      body: [MONSTERA],
    }),
    // Both lists have the same length.
    request("conditional.equal-length", "GET /plants", 200, {
      before: { headers: [bearer("constructor")] },
      headers: [bearer("flowers"), ifNoneMatch("ETAG")],
      body: [ROSE],
    }),
    request("conditional.equal-body", "GET /plants?limit=6", 304, {
      headers: [bearer("a.b-c_d~e+f/g=="), ifNoneMatch("ETAG")],
      body: "",
    }),
    request("conditional.missing-path", "GET /nope", 404, {
      headers: [ifNoneMatch("*")],
    }),
  ]),
  ...group("http", 10, [
    request("conditional.after-credentials", "GET /plants", 401, {
      headers: [ifNoneMatch("*")],
    }),
    request("conditional.after-limit", "GET /plants?limit=x", 400, {
      headers: [bearer("all"), ifNoneMatch("*")],
    }),
  ]),
  ...group("http", 7, [
    request("head.first", "HEAD /plants?limit=1", 200, {
      headers: ALL,
      body: "",
    }),
    request("head.health", "HEAD /healthz", 200, { body: "" }),
    request("head.ready", "HEAD /readyz", 200, { body: "" }),
    request("options.list", "OPTIONS /plants", 204, { body: "" }),
    request("options.health", "OPTIONS /healthz", 204, { body: "" }),
    request("options.asterisk", "OPTIONS *", 204, {
      body: "",
      server: true,
      bare: true,
    }),
    request("options.missing", "OPTIONS /nope", 404),
    ...[ORIGIN, REQUESTED].map((header) =>
      request(`options.${header[0]}-alone`, "OPTIONS /plants", 204, {
        headers: [header],
      })
    ),
    request("cors.list", "GET /plants", 200, {
      headers: [ORIGIN, ...ALL],
      body: PLANTS,
    }),
    request("cors.same", "GET /plants", 304, {
      headers: [ORIGIN, ...ALL, ifNoneMatch("*")],
    }),
    request("cors.unauthorized", "GET /plants", 401, { headers: [ORIGIN] }),
    request("cors.bad-limit", "GET /plants?limit=x", 400, {
      headers: [ORIGIN, ...ALL],
    }),
    request("cors.missing", "GET /nope", 404, { headers: [ORIGIN] }),
    request("cors.health", "GET /healthz", 200, { headers: [ORIGIN] }),
    request("cors.method", "POST /plants", 405, { headers: [ORIGIN] }),
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
    request("path.absolute-query", "GET http://o.example/plants?limit=1", 200, {
      headers: ALL,
      body: [MONSTERA],
    }),
    request("path.absolute-host", "GET http://o.example/plants", 400, {
      headers: [["Host", "h/"], ...ALL],
    }),
  ]),
  ...group("http", 11, [
    ignored("accept", ["Accept", "text/html"]),
    ignored("accept-encoding", ["Accept-Encoding", "gzip, br"]),
    ignored("range", ["Range", "bytes=0-1"]),
    ignored("if-match", ["If-Match", '"a"']),
    ignored("if-modified-since", [
      "If-Modified-Since",
      "Thu, 01 Jan 2099 00:00:00 GMT",
    ]),
    ignored("if-unmodified-since", [
      "If-Unmodified-Since",
      "Sat, 01 Jan 2000 00:00:00 GMT",
    ]),
    ignored("content-type", ["Content-Type", "text/csv"]),
    ignored("method-override", ["X-HTTP-Method-Override", "DELETE"]),
    ignored("forwarded", ["X-Forwarded-Prefix", "/x"], [
      "X-Original-URL",
      "/x",
    ]),
    request("ignored.method-override-post", "POST /plants", 405, {
      headers: [bearer("all"), ["X-HTTP-Method-Override", "GET"]],
    }),
    request("ignored.cookie", "GET /plants", 401, {
      headers: [["Cookie", "access_token=all; token=all"]],
      ...NO_TOKEN,
    }),
    request("ignored.proxy-authorization", "GET /plants", 401, {
      headers: [["Proxy-Authorization", "Bearer all"]],
      ...NO_TOKEN,
    }),
    request("ignored.token-in-body", "GET /plants", 401, {
      headers: [
        ["Content-Type", "application/x-www-form-urlencoded"],
        ["Content-Length", "16"],
      ],
      content: "access_token=all",
      server: true,
      ...NO_TOKEN,
    }),
    request("ignored.body", "GET /plants?limit=1", 200, {
      headers: [
        bearer("all"),
        ["Content-Type", "application/json"],
        ["Content-Length", "9"],
      ],
      content: '{"limit":',
      body: [MONSTERA],
      server: true,
    }),
    request("ignored.body-of-POST", "POST /plants", 405, {
      headers: [
        bearer("all"),
        ["Content-Type", "application/json"],
        ["Content-Length", "1"],
      ],
      content: "{",
    }),
    afterBody("body-before-next", "POST", SMUGGLED, [
      "Content-Length",
      `${SMUGGLED.length}`,
    ]),
    afterBody("GET-body-before-next", "GET", SMUGGLED, [
      "Content-Length",
      `${SMUGGLED.length}`,
    ]),
    afterBody("chunks-before-next", "GET", SMUGGLED, [
      "Transfer-Encoding",
      "chunked",
    ]),
  ]),
];

const isPreflight = ({ method, headers = [] }: CaseRequest) =>
  method === "OPTIONS" &&
  [ORIGIN, REQUESTED].every(([name]) =>
    headers.some(([each]) => each === name)
  );

/** Whether a response is a list, or says that a list has not changed. */
const isList = ({ status, body }: CaseResponse) =>
  status === 200 && body.startsWith("[") || status === 304;

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
  {
    id: "every.challenge",
    level: "core",
    section: 2,
    expect: (_, { status }) =>
      status === 401
        ? {
          has: {
            "www-authenticate":
              /^Bearer .*\brealm[ \t]*=[ \t]*"?plant-store\b/i,
          },
        }
        : undefined,
  },
  {
    id: "every.content-type",
    level: "core",
    section: 5,
    expect: ({ method }, { body }) =>
      body === "" || method === "HEAD"
        ? undefined
        : { has: { "content-type": "application/json" } },
  },
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
  {
    id: "every.etag",
    level: "http",
    section: 5,
    expect: (_, response) =>
      isList(response)
        ? { has: { etag: /^"[\x21\x23-\x7e\x80-\xff]*"$/ } }
        : undefined,
  },
  {
    id: "every.private",
    level: "http",
    section: 5,
    expect: (_, response) =>
      isList(response)
        ? { has: { "cache-control": "private, no-cache" } }
        : undefined,
  },
  {
    id: "every.vary",
    level: "http",
    section: 5,
    expect: (_, response) =>
      isList(response) ? { has: { vary: "Authorization" } } : undefined,
  },
  {
    id: "every.no-store",
    level: "http",
    section: 5,
    expect: (_, { status }) =>
      status < 400 ? undefined : { has: { "cache-control": "no-store" } },
  },
  {
    id: "every.allow",
    level: "http",
    section: 5,
    expect: (request, { status }) =>
      status === 405 || status === 204 && !isPreflight(request)
        ? { has: { allow: METHODS } }
        : undefined,
  },
  {
    id: "every.nosniff",
    level: "http",
    section: 5,
    expect: () => ({ has: { "x-content-type-options": "nosniff" } }),
  },
  {
    id: "every.allow-origin",
    level: "http",
    section: 5,
    expect: () => ({ has: { "access-control-allow-origin": "*" } }),
  },
  {
    id: "every.expose-headers",
    level: "http",
    section: 5,
    expect: () => ({
      has: {
        "access-control-expose-headers":
          "ETag, WWW-Authenticate, Allow, Retry-After",
      },
    }),
  },
  {
    id: "every.preflight",
    level: "http",
    section: 5,
    expect: (request, { status }) =>
      isPreflight(request) && status === 204
        ? {
          has: {
            "access-control-allow-methods": METHODS,
            "access-control-allow-headers": "Authorization, *",
            "access-control-max-age": "600",
          },
        }
        : undefined,
  },
];
