import type { Plant } from "../domain/plant.ts";
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
  readonly content?: string;
  /**
   * Whether to leave the connection open, to use the open one, or to use one of several
   * that stay open. Default: a new one.
   */
  readonly connection?: "keep" | "reuse" | "pool";
  readonly withoutHost?: true;
  /** The length to which the target is extended, with the base path. */
  readonly targetLength?: number;
  /** The size to which the request line and the headers are extended, in bytes. */
  readonly headSize?: number;
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
  readonly status?: Status;
  /** The required headers by name. `null` means that the header must be absent. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
  /**
   * The value of the JSON, or `""`. Undefined properties must be absent, and others can
   * be added. Regular expressions match strings.
   */
  readonly body?: unknown;
}

/** The part of docs/http-api.md that a test case belongs to. */
export type Level = "core" | "http";

/** What a test case requires, and where docs/http-api.md says so. */
export interface CaseInfo {
  /** The words of the ID, separated by dots: `limit.rejected.empty`. */
  readonly id: string;
  /** The level: `core` or `http`. */
  readonly level: Level;
  /** The section of docs/http-api.md. */
  readonly section: number;
  /** What is required, as a sentence without a period. */
  readonly title: string;
}

/** A test case: a request and the response to it. */
export interface Case extends CaseInfo {
  readonly request: CaseRequest;
  readonly expected: Expected;
  /**
   * The previous request. The ETag of its response replaces `ETAG` in the headers.
   * Default: a request for the list of all plants.
   */
  readonly previousRequest?: CaseRequest;
  /** A request of which many copies are sent at the same time as copies of this one. */
  readonly rival?: CaseRequest;
  /** The time since the first request of the run, whose ETag replaces `ETAG`. */
  readonly waitSeconds?: number;
  /** Whether only a server can receive the request; a handler cannot. */
  readonly needsServer?: true;
  /** Whether the HTTP library of a server can respond, so that no rule applies. */
  readonly mayBypassService?: true;
}

/** A test case that checks the responses to all other test cases. */
export interface Rule extends CaseInfo {
  /** Returns the requirements for a response, or `undefined` if the rule does not apply. */
  expect(request: CaseRequest, response: CaseResponse): Expected | undefined;
}

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

type Status = number | readonly number[];
type Plants = readonly (Plant | undefined)[];
/** A test case without its level and section, which the group determines. */
type Entry = Omit<Case, "level" | "section">;
type Details = Partial<Entry>;

const [MONSTERA, FERN, ROSE, HORSETAIL, SMALL_ROSE, ODD] = PLANTS;

const bearer = (token: string) => `Authorization: Bearer ${token}`;
const ifNoneMatch = (etags: string) => `If-None-Match: ${etags}`;
const ALL = bearer("test-all");
const FERNS = bearer("test-ferns");
const FAILING = bearer("test-failing");
const UNKNOWN = bearer("nobody");
const SAME = ifNoneMatch("ETAG");
const ANY = ifNoneMatch("*");
const HOST = "Host: a.example";
const BAD_HOST = "Host: h/";
const ORIGIN = "Origin: https://a.example";
const REQUESTED = "Access-Control-Request-Method: GET";
const JSON_TYPE = "Content-Type: application/json";
const CHUNKED = "Transfer-Encoding: chunked";

const METHODS = "GET, HEAD, OPTIONS";
const CHALLENGE = 'Bearer realm="plant-store"';
/** The response to a request without bearer credentials. */
const NO_TOKEN: Expected = { headers: { "www-authenticate": CHALLENGE } };
/** The response to a request with an invalid token. */
const INVALID_TOKEN: Expected = {
  headers: { "www-authenticate": `${CHALLENGE}, error="invalid_token"` },
};
const NO_STORE = { "cache-control": "no-store" };
const HEALTHY = { status: "ok" };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const SERVER = { needsServer: true } as const;
/** A request that the HTTP library of a server can reject. */
const LIBRARY = { mayBypassService: true } as const;
const SERVER_LIBRARY = { ...SERVER, ...LIBRARY } as const;
/** A body that is a request, for servers that do not read bodies. */
const SMUGGLED = `GET /healthz HTTP/1.1\r\n${HOST}\r\n\r\n`;
const SMUGGLED_LENGTH = `Content-Length: ${SMUGGLED.length}`;
/** Servers need not count the method, the version, and the separators. */
const UNCOUNTED = 64;

/** Test cases of one level and one section. */
const group = (level: Level, section: number, entries: readonly Entry[]) =>
  entries.map((entry): Case => ({ ...entry, level, section }));

/** A request line and headers, such as `GET /plants` and `Host: h`, and the response. */
function entry(
  id: string,
  title: string,
  line: string,
  status: Status,
  headers: readonly string[] = [],
  details: Details = {},
): Entry {
  const [method = "GET", target = ""] = line.split(" ");
  const fields = headers.map(toHeader);
  const hasBody = method !== "HEAD" && status !== 204 && status !== 304;
  return {
    ...{ id, title, ...details },
    request: { method, target, headers: fields, ...details.request },
    expected: { status, ...hasBody ? {} : { body: "" }, ...details.expected },
  };
}

function toHeader(line: string): readonly [name: string, value: string] {
  const [name = "", ...value] = line.split(": ");
  return [name, value.join(": ")];
}

/** The list at a target, by default for a user who sees all plants. */
const list = (
  id: string,
  title: string,
  target: string,
  plants: Plants,
  headers: readonly string[] = [ALL],
  details: Details = {},
): Entry => {
  // A plant without a tag must not have one in the response.
  const body = plants.map((plant) => ({ name: plant?.name, tag: plant?.tag }));
  const all = { ...details, expected: { body } };
  return entry(id, title, `GET ${target}`, 200, headers, all);
};

/** A request for all plants. */
const get = (
  id: string,
  title: string,
  status: Status,
  headers: readonly string[],
  details: Details = {},
): Entry => entry(id, title, "GET /plants", status, headers, details);

/** The plants that a user sees, whose token is `test-` and the user's name. */
const access = (user: string, plants: Plants, title: string): Entry =>
  list(`access.${user}`, title, "/plants", plants, [bearer(`test-${user}`)]);

/** A query with a valid limit, or without one. */
const limit = (id: string, query: string, plants: Plants, effect: string) =>
  list(`limit.${id}`, `?${query} ${effect}`, `/plants?${query}`, plants);

/** A query whose limit is rejected. */
const rejects = (id: string, query: string, reason: string): Entry => {
  const title = `?${query} returns 400, because the limit ${reason}`;
  return entry(`limit.rejected.${id}`, title, `GET /plants?${query}`, 400, [
    ALL,
  ]);
};

/** A function for Authorization headers that are rejected. */
const rejectsHeaders =
  (reason: string, expected: Expected) =>
  (id: string, what: string, ...values: string[]): Entry => {
    const title = `${what} returns 401 ${reason}`;
    const headers = values.map((value) => `Authorization: ${value}`);
    return get(`credentials.${id}`, title, 401, headers, { expected });
  };
const missesToken = rejectsHeaders("without an error code", NO_TOKEN);
const invalidToken = rejectsHeaders("with invalid_token", INVALID_TOKEN);

/** A token in a place where it does not count. */
const ignoredToken = (
  id: string,
  where: string,
  target: string,
  headers: readonly string[],
  details: Details = {},
): Entry => {
  const all = { ...details, expected: NO_TOKEN };
  const title = `A token in ${where} is ignored`;
  return entry(id, title, `GET ${target}`, 401, headers, all);
};

/** A method that the path does not allow. */
const notAllowed = (id: string, line: string): Entry =>
  entry(`method.${id}`, `The request ${line} returns 405`, line, 405);

/** A target that does not exist. */
const missing = (id: string, target: string): Entry => {
  const title = `${target} returns 404, because paths must match exactly`;
  return entry(`path.missing.${id}`, title, `GET ${target}`, 404, [ALL]);
};

/** A target that is another form of `/plants`. */
const found = (id: string, target: string): Entry => {
  const title = `${target} is another form of /plants`;
  return list(`path.found.${id}`, title, target, PLANTS);
};

/** A request for all plants with a valid Host. */
const goodHost = (id: string, value: string, what: string): Entry => {
  const title = `A Host with ${what} is accepted`;
  return get(`host.good.${id}`, title, 200, [`Host: ${value}`, ALL]);
};

/** A request for all plants with an invalid Host. */
const badHost = (id: string, value: string, what: string): Entry => {
  const title = `A Host with ${what} returns 400`;
  return get(`host.bad.${id}`, title, 400, [`Host: ${value}`, ALL], LIBRARY);
};

/** An `If-None-Match` that matches, where ETAG is the ETag of the plain response. */
const matches = (id: string, what: string, etags: string): Entry => {
  const title = `If-None-Match with ${what} returns 304`;
  return get(`conditional.${id}`, title, 304, [ALL, ifNoneMatch(etags)]);
};

/** An `If-None-Match` that does not match. */
const differs = (id: string, what: string, etags: string): Entry => {
  const title = `If-None-Match with ${what} returns the list`;
  const headers = [ALL, ifNoneMatch(etags)];
  return list(`conditional.${id}`, title, "/plants", PLANTS, headers);
};

/** A preflight. */
const preflight = (id: string, target: string): Entry => {
  const title =
    `A CORS preflight for ${target} returns 204 without credentials`;
  const asked = "Access-Control-Request-Headers: authorization";
  const headers = [ORIGIN, REQUESTED, asked];
  return entry(`preflight.${id}`, title, `OPTIONS ${target}`, 204, headers);
};

/** Headers that have no effect on the list of all plants. */
const ignored = (id: string, ...headers: string[]): Entry => {
  const names = headers.map((header) => toHeader(header)[0]).join(" and ");
  const title = `The list of plants does not depend on ${names}`;
  return list(`ignored.${id}`, title, "/plants", PLANTS, [ALL, ...headers]);
};

/** The details of a request that follows another one on its connection. */
const after = (previousRequest: CaseRequest) => ({
  previousRequest: { ...previousRequest, connection: "keep" },
  request: { connection: "reuse" },
  needsServer: true,
} as const);
const AFTER_LIST = after({ headers: [toHeader(ALL)] });

/** A request after a request with a body, on the same connection. */
const afterBody = (id: string, method: string, header: string): Entry => {
  const title = `A ${method} body with ${header} is never read as a request`;
  const headers = [ALL, header].map(toHeader);
  const details = after({ method, headers, content: SMUGGLED });
  const target = "/plants?limit=1";
  return list(`ignored.${id}`, title, target, [MONSTERA], [ALL], details);
};

/** The test cases, in the order in which they are sent. */
// deno-fmt-ignore: two lines for most test cases
export const CASES: readonly Case[] = [
  ...group("core", 1, [
    list("list.all", "A user with access to all plants sees them in catalog order",
      "/plants", PLANTS),
    access("none", [], "A user with access to nothing sees an empty list"),
    access("ferns", [FERN], "A user with a tag sees the plants with this tag"),
    access("flowers", [ROSE], "A plant with another tag is not in the list"),
    access("roses", [ROSE, SMALL_ROSE],
      "A user with a name sees all plants with this name"),
    access("mixed", [MONSTERA, ROSE, HORSETAIL],
      "A user with tags and names sees the plants that match either"),
    access("odd", [ODD, ODD], "Names and tags can contain any characters"),
    access("constructor", [SMALL_ROSE], "A user name can be constructor"),
    access("tag-case", [], "Tags are compared with their letter case"),
    access("name-case", [], "Names are compared with their letter case"),
    access("part", [], "A part of a tag or name gives no access"),
    access("longer", [], "A longer tag or name gives no access"),
    access("swapped", [], "Tags are not compared with names"),
  ]),
  ...group("core", 2, [
    list("access.characters", "A token can contain all characters of RFC 6750",
      "/plants", PLANTS, [bearer("a.b-c_d~e+f/g==")]),
    access("valid", PLANTS, "A token is valid before its expiration date"),
    access("valid-time", PLANTS, "A token is valid before its expiration time"),
  ]),

  ...group("core", 3, [
    limit("two", "limit=2", [MONSTERA, FERN], "returns the first two plants"),
    limit("one", "limit=1", [MONSTERA], "returns the first plant"),
    limit("zero", "limit=0", [], "returns an empty list"),
    list("access.limited", "The limit applies to the plants that the user sees",
      "/plants?limit=2", [MONSTERA, ROSE], [bearer("test-mixed")]),
    limit("size", "limit=7", PLANTS, "returns all seven plants"),
    limit("more", "limit=8", PLANTS, "returns all seven plants"),
    limit("int32", "limit=2147483647", PLANTS, "is the largest valid limit"),
    limit("escaped", "limit=%31", [MONSTERA], "is the same as ?limit=1"),
    limit("escaped-name", "%6c%69mit=1", [MONSTERA], "is the same as ?limit=1"),
    limit("ampersands", "&&limit=3&", [MONSTERA, FERN, ROSE], "contains a limit of 3"),
    limit("case", "LIMIT=x", PLANTS, "is a different parameter"),
    limit("brackets", "limit[]=x", PLANTS, "is a different parameter"),
    limit("question-mark", "?limit=1", PLANTS, "is a different parameter"),
    limit("space-name", "%20limit=x", PLANTS, "is a different parameter"),
    rejects("negative", "limit=-1", "is negative"),
    rejects("minus-zero", "limit=-0", "has a sign"),
    rejects("leading-zero", "limit=007", "has leading zeros"),
    rejects("zeros", "limit=00", "has a leading zero"),
    rejects("exponent", "limit=1e3", "has an exponent"),
    rejects("hexadecimal", "limit=0x10", "is hexadecimal"),
    rejects("separator", "limit=1_0", "has a separator"),
    rejects("fraction", "limit=5.5", "has a fraction"),
    rejects("point", "limit=5.0", "has a decimal point"),
    rejects("space", "limit=%205", "starts with a space"),
    rejects("plus", "limit=+5", "starts with a space, written as +"),
    rejects("plus-sign", "limit=%2B5", "has a plus sign"),
    rejects("trailing-space", "limit=5%20", "ends with a space"),
    rejects("suffix", "limit=5x", "ends with a letter"),
    rejects("empty", "limit=", "is empty"),
    rejects("bare", "limit", "is empty"),
    rejects("full-width", "limit=%EF%BC%92", "is a full-width digit"),
    rejects("arabic", "limit=%D9%A2", "is an Arabic-Indic digit"),
    rejects("nul", "limit=5%00", "ends with a control character"),
    rejects("line-feed", "limit=5%0A", "ends with a line feed"),
    rejects("bad-escape", "limit=%ZZ", "has an invalid escape"),
    rejects("bad-utf8", "limit=%FF", "is not UTF-8"),
    rejects("quote", "limit=%22", "is a quotation mark"),
    rejects("word", "limit=null", "is a word"),
    rejects("comma", "limit=1,2", "has a comma"),
    rejects("semicolon", "limit=1;2", "has a semicolon"),
    rejects("over-int32", "limit=2147483648", "is too large"),
    rejects("over-int64", "limit=18446744073709551617", "is too large"),
    rejects("twice", "limit=1&limit=2", "is repeated"),
    rejects("twice-equal", "limit=1&limit=1", "is repeated"),
    rejects("twice-escaped", "limit=1&%6Cimit=1", "is repeated"),
    rejects("escaped-name", "%6cimit=x", "is a word"),
  ]),

  ...group("core", 2, [
    missesToken("none", "A request without an Authorization header"),
    missesToken("empty", "An empty Authorization header", ""),
    missesToken("basic", "A token with the Basic scheme", "Basic test-all"),
    missesToken("basic-password", "A token as the password of Basic credentials",
      `Basic ${btoa("all:test-all")}`),
    missesToken("bare-token", "A token without a scheme", "test-all"),
    missesToken("longer-scheme", "The scheme BearerX", "BearerX test-all"),
    missesToken("prefixed-scheme", "The scheme NotBearer", "NotBearer test-all"),
    get("credentials.scheme-alone",
      "The scheme without a token returns 401 with either challenge", 401,
      ["Authorization: Bearer"]),
    invalidToken("unknown", "An unknown token", "Bearer nobody"),
    invalidToken("user-name", "The name of a user", "Bearer all"),
    invalidToken("part", "A part of a token", "Bearer test-al"),
    invalidToken("longer", "A token and another letter", "Bearer test-alll"),
    invalidToken("long", "A token of 4000 letters", `Bearer ${"x".repeat(4_000)}`),
    invalidToken("padded", "A token and an equals sign", "Bearer test-all="),
    invalidToken("case-of-token", "A token in upper case", "Bearer TEST-ALL"),
    invalidToken("two-tokens", "A repeated token", "Bearer test-all test-all"),
    invalidToken("quoted", "A token in quotes", 'Bearer "test-all"'),
    invalidToken("tab", "A token after a tab", "Bearer\ttest-all"),
    invalidToken("comma", "A token before a comma", "Bearer test-all,"),
    invalidToken("equals-first", "A token after =", "Bearer =test-all"),
    invalidToken("expired", "An expired token", "Bearer test-expired"),
    invalidToken("expired-time", "A token with a time that has passed",
      "Bearer test-expired-time"),
    invalidToken("expired-today", "A token that expired at the start of the day",
      "Bearer test-today"),
    ...["__proto__", "toString", "hasOwnProperty", "prototype"].map((name) =>
      invalidToken(`name.${name}`, `The token ${name}`, `Bearer ${name}`)
    ),
    list("credentials.scheme-case", "The letter case of the scheme has no effect",
      "/plants", PLANTS, ["authorization: bEARER test-all"]),
    list("credentials.spaces", "Several spaces can follow the scheme", "/plants",
      PLANTS, [bearer("   test-all")]),
  ]),
  ...group("core", 4, [
    notAllowed("POST", "POST /plants"),
    notAllowed("PUT", "PUT /plants"),
    notAllowed("PATCH", "PATCH /plants"),
    notAllowed("DELETE", "DELETE /plants"),
  ]),
  ...group("core", 10, [
    entry("credentials.before-limit", "Credentials are checked before the limit",
      "GET /plants?limit=x", 401, [], { expected: NO_TOKEN }),
    entry("method.after-path", "The path is checked before the method",
      "POST /nope", 404),
    entry("method.before-credentials",
      "The method is checked before the credentials", "DELETE /plants", 405,
      [UNKNOWN], { expected: { headers: { "www-authenticate": null } } }),
  ]),
  ...group("core", 11, [
    list("query.others", "Other parameters have no effect",
      "/plants?__proto__=1&page=2&offset=1&sort=name&fields=name&callback=f",
      PLANTS),
    list("query.empty", "An empty query has no effect", "/plants?", PLANTS),
    list("query.mixed", "A limit can follow other parameters",
      "/plants?page=2&limit=1", [MONSTERA]),
    ignoredToken("credentials.query", "the query",
      "/plants?access_token=test-all&token=test-all", []),
  ]),
  ...group("core", 7, [
    entry("head.list", "HEAD returns the status and headers of GET, but no body",
      "HEAD /plants", 200, [ALL]),
    entry("head.limit", "HEAD checks the limit as GET does", "HEAD /plants?limit=x",
      400, [ALL]),
    entry("head.unauthorized", "HEAD checks the credentials as GET does",
      "HEAD /plants", 401, [], { expected: NO_TOKEN }),
    entry("head.missing", "HEAD checks the path as GET does", "HEAD /nope", 404),
  ]),
  ...group("core", 8, [
    missing("other", "/nope"),
    missing("slash", "/plants/"),
    missing("case", "/Plants"),
    missing("longer", "/plantsx"),
    missing("extension", "/plants.json"),
    missing("inner", "/plants/Monstera"),
    missing("parameter", "/plants;v=1"),
    missing("prototype", "/__proto__"),
    missing("constructor", "/constructor"),
  ]),

  ...group("http", 2, [
    missesToken("hyphenated-scheme", "The scheme Bearer-X", "Bearer-X test-all"),
    missesToken("basic-first", "A Basic header before a Bearer header", "Basic x",
      "Bearer test-all"),
    missesToken("empty-first", "An empty header before a valid one", "",
      "Bearer test-all"),
    invalidToken("twice", "A repeated header", "Bearer test-all",
      "Bearer test-all"),
    invalidToken("good-first", "A valid header before an invalid one",
      "Bearer test-all", "Bearer nobody"),
    invalidToken("good-last", "A valid header after an invalid one",
      "Bearer nobody", "Bearer test-all"),
    invalidToken("bearer-first", "A Bearer header before a Basic header",
      "Bearer test-all", "Basic x"),
    get("credentials.same-connection",
      "A connection does not remember the credentials of a request", 401, [],
      { ...AFTER_LIST, expected: NO_TOKEN }),
    list("access.same-connection",
      "A connection does not remember the user of a request", "/plants", [FERN],
      [FERNS], AFTER_LIST),
    list("access.concurrent", "Requests at the same time do not mix up their users",
      "/plants", [FERN], [FERNS], { rival: { headers: [toHeader(ALL)] } }),
  ]),
  ...group("http", 4, [
    notAllowed("QUERY", "QUERY /plants"),
    notAllowed("PROPFIND", "PROPFIND /plants"),
    entry("method.TRACE", "The request TRACE /plants returns 405 or 501", "TRACE /plants",
      [405, 501], [], SERVER_LIBRARY),
    entry("method.unknown", "An unknown method returns 400, 405, or 501", "FOO /plants",
      [400, 405, 501], [], SERVER_LIBRARY),
    list("size.target-allowed", "A target of 8192 characters is accepted",
      "/plants?", PLANTS, [ALL], { request: { targetLength: 8_192 } }),
    entry("size.target", "A target of 8193 characters returns 414", "GET /plants?",
      414, [ALL], { ...SERVER, request: { targetLength: 8_193 } }),
    list("size.headers-allowed",
      "A request line and headers of 16384 bytes are accepted", "/plants", PLANTS,
      [ALL], { request: { headSize: 16_384 } }),
    get("size.headers",
      "A target and headers of more than 16384 bytes return 431 or 400", [400, 431],
      [ALL], { ...SERVER_LIBRARY, request: { headSize: 16_384 + UNCOUNTED } }),
    list("coding.chunked", "A chunked body is accepted and ignored", "/plants",
      PLANTS, [ALL, CHUNKED], { ...SERVER, request: { content: "x" } }),
    get("coding.unsupported", "A transfer coding other than chunked returns 400 or 501",
      [400, 501], [ALL, "Transfer-Encoding: gzip, chunked"],
      { ...SERVER_LIBRARY, request: { content: "x" } }),
    list("expect.continue", "Expect: 100-continue is accepted", "/plants", PLANTS,
      [ALL, "Expect: 100-continue", "Content-Length: 1"],
      { ...SERVER, request: { content: "x" } }),
    get("expect.other", "An Expect header other than 100-continue returns 417", 417,
      [ALL, "Expect: 200-ok"], SERVER_LIBRARY),
    get("host.missing", "A request without a Host returns 400", 400, [ALL],
      { ...SERVER_LIBRARY, request: { withoutHost: true } }),
    get("host.twice", "A request with two Host headers returns 400", 400,
      [HOST, HOST, ALL], LIBRARY),
    badHost("empty", "", "no characters"),
    badHost("path", "evil/x?y=", "a path"),
    badHost("query", "h?x=", "a query"),
    badHost("route", "h/plants?x=", "the path of the list"),
    badHost("fragment", "h#", "a fragment"),
    badHost("user", "user@h", "a user name"),
    badHost("space", "a b", "a space"),
    badHost("port", "h:x", "letters as its port"),
    badHost("two", "a, b", "two hosts"),
    badHost("comma-port", "a:1:2", "two ports"),
    badHost("bracket", "[::1", "an open bracket"),
    badHost("bracket-name", "[zz]", "a name in brackets"),
    badHost("bracket-short", "[1]", "a number in brackets"),
    badHost("backslash", "a\\b", "a backslash"),
    badHost("escape", "a%2", "an incomplete escape"),
    badHost("long", "a".repeat(256), "256 characters"),
    goodHost("name", "plants.example", "a name"),
    goodHost("comma", "a,b", "a comma"),
    goodHost("port", "plants.example:8000", "a port"),
    goodHost("address", "127.0.0.1:1", "an IPv4 address"),
    goodHost("address6", "[::1]:8000", "an IPv6 address"),
    goodHost("underscore", "plant_store", "an underscore"),
    goodHost("escaped", "caf%C3%A9.example", "percent escapes"),
    goodHost("long", `${"a".repeat(255)}:8000`, "255 characters and a port"),
    get("failing.list", "A user whose lists always fail receives 503", 503,
      [FAILING]),
    entry("failing.head",
      "HEAD fails as GET does for a user whose lists always fail", "HEAD /plants",
      503, [FAILING]),
  ]),
  ...group("http", 10, [
    entry("host.route", "A Host that contains a path does not change the path",
      "GET /nope", 400, ["Host: h/plants?x=", ALL], LIBRARY),
    entry("host.before-preflight", "The Host is checked before CORS preflights",
      "OPTIONS /plants", 400, [BAD_HOST, ORIGIN, REQUESTED], LIBRARY),
    entry("host.before-path", "The Host is checked before the path", "GET /nope",
      400, [BAD_HOST], LIBRARY),
    entry("size.before-path", "The length of the target is checked before the path",
      "GET /nope?", 414, [], { ...SERVER, request: { targetLength: 8_193 } }),
    entry("size.after-preflight",
      "CORS preflights are handled before the length of the target is checked",
      "OPTIONS /plants?", 204, [ORIGIN, REQUESTED],
      { ...SERVER, request: { targetLength: 8_193 } }),
    entry("failing.after-limit", "The limit is checked before a list fails",
      "GET /plants?limit=x", 400, [FAILING]),
    get("failing.before-conditional",
      "A list fails before If-None-Match is checked", 503, [FAILING, ANY]),
  ]),
  ...group("http", 9, [
    entry("health", "/healthz returns status ok without a token", "GET /healthz",
      200, [], { expected: { body: HEALTHY, headers: NO_STORE } }),
    entry("health.query", "/healthz ignores the query", "GET /healthz?limit=x", 200,
      [], { expected: { body: HEALTHY } }),
    entry("health.token", "/healthz ignores the token", "GET /healthz", 200,
      [UNKNOWN], { expected: { body: HEALTHY } }),
    entry("ready", "/readyz returns when the plants were loaded", "GET /readyz",
      200, [],
      { expected: { body: { ...HEALTHY, loadedAt: TIME }, headers: NO_STORE } }),
    entry("ready.failing", "/readyz does not depend on a user", "GET /readyz", 200,
      [FAILING]),
    notAllowed("health", "POST /healthz"),
    notAllowed("ready", "POST /readyz"),
  ]),
  ...group("http", 6, [
    matches("same", "the ETag", "ETAG"),
    matches("weak", "the ETag as a weak one", "W/ETAG"),
    matches("list", "the ETag in a list", '"a", W/ETAG, "b"'),
    matches("list-weak", "the ETag in a weak list", 'W/"a", W/ETAG'),
    matches("list-tight", "a list without spaces", '"a",ETAG'),
    matches("star", "an asterisk", "*"),
    matches("comma-inside", "a comma inside another ETag", '"a,b", ETAG'),
    differs("other", "another ETag", '"a"'),
    differs("unquoted", "a word without quotes", "a"),
    differs("longer", "a longer ETag", '"xETAG"'),
    differs("quoted-star", "an asterisk in quotes", '"*"'),
    matches("spaces", "4000 spaces", `"a"${" ".repeat(4_000)}, ETAG`),
    get("conditional.twice", "Several If-None-Match headers form one list", 304,
      [ALL, ifNoneMatch('"a"'), SAME]),
    entry("conditional.head", "If-None-Match also applies to HEAD", "HEAD /plants",
      304, [ALL, SAME]),
    get("conditional.later",
      "The ETag of an unchanged list is the same after a second", 304, [ALL, SAME],
      { ...SERVER, waitSeconds: 1.1 }),
    list("conditional.other-user", "The list of another user has another ETag",
      "/plants", [FERN], [FERNS, SAME]),
    list("conditional.other-limit", "The list with another limit has another ETag",
      "/plants?limit=1", [MONSTERA], [ALL, SAME]),
    list("conditional.equal-length",
      "Another list of the same length has another ETag", "/plants", [ROSE],
      [bearer("test-flowers"), SAME],
      { previousRequest: { headers: [toHeader(bearer("test-constructor"))] } }),
    entry("conditional.equal-body",
      "The same list has the same ETag for every user and limit",
      "GET /plants?limit=7", 304, [bearer("test-valid"), SAME]),
    entry("conditional.missing-path",
      "If-None-Match has no effect on an unknown path", "GET /nope", 404, [ANY]),
  ]),
  ...group("http", 10, [
    get("conditional.after-credentials",
      "Credentials are checked before If-None-Match", 401, [ANY]),
    entry("conditional.after-limit", "The limit is checked before If-None-Match",
      "GET /plants?limit=x", 400, [ALL, ANY]),
  ]),
  ...group("http", 7, [
    entry("head.first", "HEAD applies the limit as GET does",
      "HEAD /plants?limit=1", 200, [ALL]),
    entry("head.health", "HEAD is allowed for /healthz", "HEAD /healthz", 200),
    entry("head.ready", "HEAD is allowed for /readyz", "HEAD /readyz", 200),
    entry("options.list", "OPTIONS returns 204 for /plants", "OPTIONS /plants",
      204),
    entry("options.health", "OPTIONS returns 204 for /healthz", "OPTIONS /healthz",
      204),
    entry("options.asterisk", "OPTIONS * returns 204 or 200", "OPTIONS *",
      [200, 204], [], SERVER_LIBRARY),
    entry("options.missing", "OPTIONS returns 404 for an unknown path",
      "OPTIONS /nope", 404),
    ...[ORIGIN, REQUESTED].map((header) => {
      const [name] = toHeader(header);
      const title = `OPTIONS with ${name} alone is not a preflight`;
      return entry(`options.${name}-alone`, title, "OPTIONS /plants", 204, [header]);
    }),
    list("cors.list", "A list has CORS headers", "/plants", PLANTS, [ORIGIN, ALL]),
    get("cors.same", "A 304 has CORS headers", 304, [ORIGIN, ALL, ANY]),
    get("cors.unauthorized", "A 401 has CORS headers", 401, [ORIGIN]),
    entry("cors.bad-limit", "A 400 has CORS headers", "GET /plants?limit=x", 400,
      [ORIGIN, ALL]),
    entry("cors.missing", "A 404 has CORS headers", "GET /nope", 404, [ORIGIN]),
    entry("cors.health", "A health check has CORS headers", "GET /healthz", 200,
      [ORIGIN]),
    entry("cors.method", "A 405 has CORS headers", "POST /plants", 405, [ORIGIN]),
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
    missing("escaped-last", "/plants%2F"),
    missing("twice-escaped", "/%2570lants"),
    missing("escaped-mark", "/plants%3Flimit=1"),
    missing("nul", "/plants%00"),
    missing("asterisk", "/*"),
    missing("dot-last", "/plants/."),
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
    list("path.absolute-query", "The query of an absolute target is used",
      "http://o.example/plants?limit=1", [MONSTERA]),
    entry("path.absolute-host",
      "An invalid Host next to an absolute target is ignored or returns 400",
      "GET http://o.example/plants", [200, 400], [BAD_HOST, ALL], LIBRARY),
  ]),
  ...group("http", 11, [
    ignored("accept", "Accept: text/html"),
    ignored("accept-encoding", "Accept-Encoding: gzip, br"),
    ignored("range", "Range: bytes=0-1"),
    ignored("if-match", 'If-Match: "a"'),
    ignored("if-modified-since", "If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT"),
    ignored("if-unmodified-since", "If-Unmodified-Since: Sat, 01 Jan 2000 00:00:00 GMT"),
    ignored("content-type", "Content-Type: text/csv"),
    ignored("method-override", "X-HTTP-Method-Override: DELETE"),
    ignored("forwarded", "X-Forwarded-Prefix: /x", "X-Original-URL: /x"),
    entry("ignored.method-override-post",
      "A POST does not become a GET because of a header", "POST /plants", 405,
      [ALL, "X-HTTP-Method-Override: GET"]),
    ignoredToken("ignored.cookie", "a cookie", "/plants",
      ["Cookie: access_token=test-all; token=test-all"]),
    ignoredToken("ignored.proxy-authorization", "Proxy-Authorization", "/plants",
      [`Proxy-${ALL}`]),
    ignoredToken("ignored.api-key", "X-API-Key", "/plants", ["X-API-Key: test-all"]),
    ignoredToken("ignored.token-in-body", "the body", "/plants",
      ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 21"],
      { ...SERVER, request: { content: "access_token=test-all" } }),
    list("ignored.body", "The body of a GET is ignored, even if it is invalid",
      "/plants?limit=1", [MONSTERA], [ALL, JSON_TYPE, "Content-Length: 9"],
      { ...SERVER, request: { content: '{"limit":' } }),
    entry("ignored.body-of-POST",
      "The body of a POST is ignored, even if it is invalid", "POST /plants", 405,
      [ALL, JSON_TYPE, "Content-Length: 1"], { request: { content: "{" } }),
    afterBody("body-before-next", "POST", SMUGGLED_LENGTH),
    afterBody("GET-body-before-next", "GET", SMUGGLED_LENGTH),
    afterBody("chunks-before-next", "GET", CHUNKED),
  ]),
];

type Condition = (response: CaseResponse, request: CaseRequest) => boolean;

const hasBody: Condition = ({ body }, { method }) =>
  body !== "" && method !== "HEAD";
const hasStatus = (expected: number): Condition => ({ status }) =>
  status === expected;
const isAny: Condition = () => true;
const isError: Condition = ({ status }) => status >= 400;
/** Whether a response is a list, or reports that a list has not changed. */
const isList: Condition = ({ status, body }) =>
  status === 200 && body.startsWith("[") || status === 304;
const isPreflight: Condition = ({ status }, { method, headers = [] }) =>
  status === 204 && method === "OPTIONS" &&
  [ORIGIN, REQUESTED].map(toHeader).every(([name]) =>
    headers.some(([each]) => each === name)
  );
const listsMethods: Condition = (response, request) =>
  response.status === 405 ||
  response.status === 204 && !isPreflight(response, request);

/** A rule for the headers of all responses to which a condition applies. */
const every = (
  level: Level,
  section: number,
  id: string,
  title: string,
  applies: Condition,
  headers: NonNullable<Expected["headers"]>,
): Rule => ({
  ...{ id: `every.${id}`, level, section, title },
  expect: (request, response) =>
    applies(response, request) ? { headers } : undefined,
});

/** The test cases that concern every response. */
// deno-fmt-ignore: two lines for most test cases
export const RULES: readonly Rule[] = [
  {
    ...{ id: "every.error-body", level: "core", section: 1 },
    title: "Every error has an Error body with its status and a message",
    expect: ({ method }, { status }) =>
      status < 400 || method === "HEAD"
        ? undefined
        : { body: { error: status, message: /./ } },
  },
  every("core", 2, "challenge", "Every 401 has a Bearer challenge",
    hasStatus(401), { "www-authenticate": /^Bearer(?:[ ,]|$)/i }),
  every("core", 5, "content-type", "Every body is declared as JSON",
    hasBody, { "content-type": "application/json" }),
  every("http", 2, "realm", "Every challenge names the realm plant-store",
    hasStatus(401), { "www-authenticate": /\brealm[ \t]*=[ \t]*"?plant-store\b/i }),
  {
    ...{ id: "every.content-length", level: "http", section: 5 },
    title: "Content-Length is the length of the body",
    expect({ method }, { status, headers, body }) {
      if (!headers.has("content-length") || status === 304) return {};
      const { byteLength } = new TextEncoder().encode(body);
      const expected = method === "HEAD" ? /^\d+$/ : `${byteLength}`;
      return { headers: { "content-length": expected } };
    },
  },
  every("http", 5, "etag", "Every list has a strong ETag",
    isList, { etag: /^"[\x21\x23-\x7e\x80-\xff]*"$/ }),
  every("http", 5, "private", "Every list is private and revalidated",
    isList, { "cache-control": "private, no-cache" }),
  every("http", 5, "vary", "Every list varies by Authorization",
    isList, { vary: "Authorization" }),
  every("http", 5, "no-store", "No error is stored in caches", isError, NO_STORE),
  every("http", 5, "allow", "Every 405 and OPTIONS lists the methods",
    listsMethods, { allow: METHODS }),
  every("http", 5, "retry-after", "Every 503 has a Retry-After header",
    hasStatus(503), { "retry-after": "1" }),
  every("http", 5, "nosniff", "Every response disables content sniffing",
    isAny, { "x-content-type-options": "nosniff" }),
  every("http", 5, "allow-origin", "Every origin can read every response",
    isAny, { "access-control-allow-origin": "*" }),
  every("http", 5, "expose-headers", "Scripts can read the headers", isAny, {
    "access-control-expose-headers": "ETag, WWW-Authenticate, Allow, Retry-After",
  }),
  every("http", 5, "preflight", "Every preflight allows methods and headers",
    isPreflight, {
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": "Authorization, *",
      "access-control-max-age": "600",
    }),
];
