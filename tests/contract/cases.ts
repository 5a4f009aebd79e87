import type { Access, Plant } from "../../mod.ts";

/** A request as it stands on the wire. */
export interface CaseRequest {
  readonly method?: string;
  readonly target?: string;
  /** Header fields in their order; a name may come twice. */
  readonly headers?: readonly (readonly [string, string])[];
}

/** A response as it stands on the wire. */
export interface CaseResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** How the service under test is set up; `open` unless a case says otherwise. */
export type Setup =
  | "open"
  | "documented"
  | "based"
  | "listed"
  | "closed"
  | "broken"
  | "away";

/** One promise of the contract. */
export interface Case extends CaseRequest {
  readonly id: string;
  readonly setup?: Setup;
  readonly status: number;
  /** Header fields that the response must have; null: must not have. */
  readonly has?: Readonly<Record<string, string | RegExp | null>>;
  /** The body: a value as JSON, a pattern of its text, or `""`. */
  readonly body?: unknown;
}

/** The plants of every set-up, in catalogue order. */
export const PLANTS: readonly Plant[] = [
  { name: "Monstera deliciosa", tag: "vine" },
  { name: "Nephrolepis exaltata", tag: "fern" },
  { name: "Rosa canina", tag: "flower" },
  { name: "Equisetum hyemale" },
  { name: "Rosa canina", tag: "shrub" },
  { name: 'Tillandsia "ionantha" \u{1F33F}\n', tag: "蘭" },
];

const [MONSTERA, FERN, ROSE, HORSETAIL, SHRUB_ROSE, ODD] = PLANTS;

/** The users of every set-up. Each one's token is the key. */
export const ACCESS: Readonly<Record<string, Access>> = {
  all: "all",
  none: {},
  ferns: { tags: ["fern"] },
  roses: { names: ["Rosa canina"] },
  mixed: { names: ["Equisetum hyemale"], tags: ["flower", "vine", "moss"] },
  odd: { names: ['Tillandsia "ionantha" \u{1F33F}\n'], tags: ["蘭"] },
  constructor: { tags: ["shrub"] },
  "a.b-c_d~e+f/g==": "all",
};

const bearer = (token: string) => ["Authorization", `Bearer ${token}`] as const;
const ALL = [bearer("all")];
const REALM = 'Bearer realm="plant-store"';
const INVALID = `${REALM}, error="invalid_token"`;
const MALFORMED = { status: 401, has: { "www-authenticate": INVALID } };
const NO_CREDENTIALS = { status: 401, has: { "www-authenticate": REALM } };
const ORIGIN = ["Origin", "https://a.example"] as const;
const OTHER = ["Origin", "https://b.example"] as const;
const ASKED = ["Access-Control-Request-Method", "GET"] as const;

/** An Error body with this number and a message. */
const error = (number: number) =>
  new RegExp(`^\\{"error":${number},"message":"(?:[^"\\\\]|\\\\.){8,}"\\}$`);

/** GET /plants of the user who sees everything. */
const plants = (
  query: string,
  rest: Partial<Case> & { readonly id: string },
): Case => ({ target: `/plants?${query}`, headers: ALL, status: 200, ...rest });

/** The same where `limit` is refused; the message must hold `shown`. */
const refused = (id: string, query: string, shown: string): Case =>
  plants(query, {
    id: `limit.refused.${id}`,
    status: 400,
    has: { "cache-control": "no-store" },
    body: new RegExp(
      `^\\{"error":400,"message":"limit must .*${
        JSON.stringify(JSON.stringify(shown)).slice(1, -1)
          .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
      }`,
    ),
  });

/** A target that is no path of ours. */
const missing = (id: string, target: string): Case => ({
  id: `path.missing.${id}`,
  target,
  headers: ALL,
  status: 404,
  has: { "cache-control": "no-store" },
  body: error(404),
});

/** A target that is /plants. */
const found = (id: string, target: string): Case => ({
  id: `path.found.${id}`,
  target,
  headers: ALL,
  status: 200,
  body: PLANTS,
});

/** A Host that is none. */
const badHost = (id: string, host: string): Case => ({
  id: `host.bad.${id}`,
  headers: [["Host", host], bearer("all")],
  status: 400,
  body: error(400),
});

/** A Host that is one. */
const goodHost = (id: string, host: string): Case => ({
  id: `host.good.${id}`,
  headers: [["Host", host], bearer("all")],
  status: 200,
});

/** Credentials that are not the token of a user. */
const authorization = (
  id: string,
  values: readonly string[],
  rest: typeof MALFORMED | typeof NO_CREDENTIALS,
): Case => ({
  id: `credentials.${id}`,
  headers: values.map((value) => ["Authorization", value]),
  body: error(401),
  ...rest,
});

/** A user and what the user sees. */
const sees = (token: string, body: readonly unknown[]): Case => ({
  id: `access.${token}`,
  headers: [bearer(token)],
  status: 200,
  body,
});

/** The contract: a request and its response for each rule of docs/http-api.md. */
export const CASES: readonly Case[] = [
  // The list
  {
    id: "list.all",
    headers: ALL,
    status: 200,
    has: {
      "content-type": "application/json",
      "etag": /^"[\x21\x23-\x7e]+"$/,
      "cache-control": "private, no-cache",
      "vary": "Authorization",
      "www-authenticate": null,
    },
    body: PLANTS,
  },
  sees("none", []),
  sees("ferns", [FERN]),
  sees("roses", [ROSE, SHRUB_ROSE]),
  sees("mixed", [MONSTERA, ROSE, HORSETAIL]),
  sees("odd", [ODD]),
  sees("constructor", [SHRUB_ROSE]),
  sees("a.b-c_d~e+f/g==", PLANTS),
  {
    id: "access.limited",
    target: "/plants?limit=2",
    headers: [bearer("mixed")],
    status: 200,
    body: [MONSTERA, ROSE],
  },

  // limit
  plants("limit=2", { id: "limit.two", body: [MONSTERA, FERN] }),
  plants("limit=1", { id: "limit.one", body: [MONSTERA] }),
  plants("limit=0", { id: "limit.zero", body: [] }),
  plants("limit=6", { id: "limit.size", body: PLANTS }),
  plants("limit=7", { id: "limit.more", body: PLANTS }),
  plants("limit=2147483647", { id: "limit.int32", body: PLANTS }),
  plants("limit=%31", { id: "limit.escaped", body: [MONSTERA] }),
  plants("%6c%69mit=1", { id: "limit.escaped-name", body: [MONSTERA] }),
  plants("&&limit=3&", {
    id: "limit.ampersands",
    body: [MONSTERA, FERN, ROSE],
  }),
  plants("LIMIT=x", { id: "limit.case", body: PLANTS }),
  plants("limit[]=x", { id: "limit.brackets", body: PLANTS }),
  plants("?limit=1", { id: "limit.question-mark", body: PLANTS }),
  plants("%20limit=x", { id: "limit.space-name", body: PLANTS }),
  plants("__proto__=1&page=x", { id: "query.others", body: PLANTS }),
  plants("", { id: "query.empty", body: PLANTS }),
  plants("page=2&limit=1", { id: "query.mixed", body: [MONSTERA] }),
  refused("negative", "limit=-1", "-1"),
  refused("minus-zero", "limit=-0", "-0"),
  refused("leading-zero", "limit=007", "007"),
  refused("zeros", "limit=00", "00"),
  refused("exponent", "limit=1e3", "1e3"),
  refused("hexadecimal", "limit=0x10", "0x10"),
  refused("fraction", "limit=5.5", "5.5"),
  refused("point", "limit=5.0", "5.0"),
  refused("space", "limit=%205", " 5"),
  refused("plus", "limit=+5", " 5"),
  refused("plus-sign", "limit=%2B5", "+5"),
  refused("empty", "limit=", ""),
  refused("bare", "limit", ""),
  refused("full-width", "limit=%EF%BC%92", "２"),
  refused("nul", "limit=5%00", "5\0"),
  refused("line-feed", "limit=5%0A", "5\n"),
  refused("bad-escape", "limit=%ZZ", "%ZZ"),
  refused("bad-utf8", "limit=%FF", "\uFFFD"),
  refused("quote", "limit=%22", '"'),
  refused("word", "limit=null", "null"),
  refused("comma", "limit=1,2", "1,2"),
  refused("semicolon", "limit=1;2", "1;2"),
  refused("over-int32", "limit=2147483648", "2147483648"),
  refused("huge", "limit=99999999999999999999", "99999999999999999999"),
  refused("twice", "limit=1&limit=2", "1, 2"),
  refused("twice-equal", "limit=1&limit=1", "1, 1"),
  refused("twice-escaped", "limit=1&%6Cimit=1", "1, 1"),
  refused("escaped-name", "%6cimit=x", "x"),
  refused("longest", `limit=${"x".repeat(64)}`, "x".repeat(64)),
  refused("cut", `limit=${"x".repeat(64)}y`, "x".repeat(64)),
  refused(
    "cut-character",
    `limit=${"%F0%9F%8C%BF".repeat(65)}`,
    "\u{1F33F}".repeat(64),
  ),
  refused("with-known-tag", "limit=x", "x"),

  // Credentials
  { id: "credentials.none", ...NO_CREDENTIALS, body: error(401) },
  authorization("empty", [""], NO_CREDENTIALS),
  authorization("basic", ["Basic all"], NO_CREDENTIALS),
  authorization("bare-token", ["all"], NO_CREDENTIALS),
  authorization("longer-scheme", ["BearerX all"], NO_CREDENTIALS),
  authorization("prefixed-scheme", ["NotBearer all"], NO_CREDENTIALS),
  authorization("basic-first", ["Basic x", "Bearer all"], NO_CREDENTIALS),
  authorization("empty-first", ["", "Bearer all"], NO_CREDENTIALS),
  authorization("scheme-alone", ["Bearer"], MALFORMED),
  authorization("unknown", ["Bearer nobody"], MALFORMED),
  authorization("case-of-token", ["Bearer ALL"], MALFORMED),
  authorization("two-tokens", ["Bearer all all"], MALFORMED),
  authorization("quoted", ['Bearer "all"'], MALFORMED),
  authorization("tab", ["Bearer\tall"], MALFORMED),
  authorization("comma", ["Bearer all,"], MALFORMED),
  authorization("equals-first", ["Bearer =all"], MALFORMED),
  authorization("twice", ["Bearer all", "Bearer all"], MALFORMED),
  authorization("good-first", ["Bearer all", "Bearer nobody"], MALFORMED),
  authorization("good-last", ["Bearer nobody", "Bearer all"], MALFORMED),
  authorization("bearer-first", ["Bearer all", "Basic x"], MALFORMED),
  authorization("expired", ["Bearer expired"], MALFORMED),
  ...["__proto__", "toString", "hasOwnProperty", "prototype"].map((name) =>
    authorization(`name.${name}`, [`Bearer ${name}`], MALFORMED)
  ),
  {
    id: "credentials.query",
    target: "/plants?access_token=all",
    body: error(401),
    ...NO_CREDENTIALS,
  },
  {
    id: "credentials.before-limit",
    target: "/plants?limit=x",
    body: error(401),
    ...NO_CREDENTIALS,
  },
  {
    id: "credentials.scheme-case",
    headers: [["authorization", "bEARER all"]],
    status: 200,
    body: PLANTS,
  },
  {
    id: "credentials.spaces",
    headers: [["Authorization", "Bearer    all"]],
    status: 200,
  },

  // Methods
  {
    id: "head.list",
    method: "HEAD",
    headers: ALL,
    status: 200,
    has: { "etag": /^"/, "content-type": "application/json" },
    body: "",
  },
  {
    id: "head.health",
    method: "HEAD",
    target: "/healthz",
    status: 200,
    body: "",
  },
  {
    id: "head.ready",
    method: "HEAD",
    target: "/readyz",
    status: 200,
    body: "",
  },
  { id: "head.unauthorized", method: "HEAD", body: "", ...NO_CREDENTIALS },
  {
    id: "head.missing",
    method: "HEAD",
    target: "/nope",
    status: 404,
    body: "",
  },
  ...["POST", "PUT", "PATCH", "DELETE", "QUERY", "PROPFIND"].map((method) => ({
    id: `method.${method}`,
    method,
    status: 405,
    has: { "allow": "GET, HEAD, OPTIONS", "cache-control": "no-store" },
    body: error(405),
  })),
  {
    id: "method.health",
    method: "POST",
    target: "/healthz",
    status: 405,
    has: { "allow": "GET, HEAD, OPTIONS" },
  },
  { id: "method.after-path", method: "POST", target: "/nope", status: 404 },
  {
    id: "method.before-credentials",
    method: "DELETE",
    headers: [["Authorization", "Bearer nobody"]],
    status: 405,
    has: { "www-authenticate": null },
  },
  {
    id: "options.list",
    method: "OPTIONS",
    status: 204,
    has: {
      "allow": "GET, HEAD, OPTIONS",
      "content-length": null,
      "access-control-allow-methods": null,
    },
    body: "",
  },
  { id: "options.health", method: "OPTIONS", target: "/healthz", status: 204 },
  {
    id: "options.asterisk",
    method: "OPTIONS",
    target: "*",
    status: 204,
    has: { "allow": "GET, HEAD, OPTIONS" },
  },
  {
    id: "options.missing",
    method: "OPTIONS",
    target: "/nope",
    status: 404,
    has: { "allow": null },
    body: error(404),
  },
  {
    id: "options.origin-alone",
    method: "OPTIONS",
    headers: [ORIGIN],
    status: 204,
    has: { "allow": "GET, HEAD, OPTIONS" },
  },
  {
    id: "options.method-alone",
    method: "OPTIONS",
    headers: [ASKED],
    status: 204,
    has: { "allow": "GET, HEAD, OPTIONS" },
  },

  // Paths
  missing("root", "/"),
  missing("slash", "/plants/"),
  missing("case", "/Plants"),
  missing("double-slash", "//plants"),
  missing("host-like", "//evil/plants"),
  missing("escaped-slash", "/x%2F..%2Fplants"),
  missing("escaped-first", "/%2Fplants"),
  missing("parameter", "/plants;v=1"),
  missing("twice-escaped", "/%2570lants"),
  missing("longer", "/plantsx"),
  missing("inner", "/plants/Monstera"),
  missing("escaped-mark", "/plants%3Flimit=1"),
  missing("prototype", "/__proto__"),
  missing("constructor", "/constructor"),
  missing("nul", "/plants%00"),
  missing("asterisk", "/*"),
  found("escaped", "/%70lants"),
  found("escaped-all", "/%70%6C%61%6e%74%73"),
  found("dot", "/./plants"),
  found("dots", "/x/../plants"),
  found("escaped-dots", "/x/%2e%2E/plants"),
  found("above", "/../plants"),
  found("absolute", "http://other.example/plants"),
  found("absolute-port", "http://other.example:81/plants"),
  found("absolute-https", "https://other.example/plants"),
  missing("absolute-root", "http://other.example"),
  missing("absolute-other", "http://plants/"),
  {
    id: "path.absolute.query",
    target: "http://other.example/plants?limit=1",
    headers: ALL,
    status: 200,
    body: [MONSTERA],
  },

  // Host
  badHost("empty", ""),
  badHost("path", "evil/x?y="),
  badHost("query", "h?x="),
  badHost("route", "h/plants?x="),
  badHost("fragment", "h#"),
  badHost("user", "user@h"),
  badHost("space", "a b"),
  badHost("port", "h:x"),
  badHost("two", "a, b"),
  badHost("comma-port", "a:1:2"),
  badHost("bracket", "[::1"),
  badHost("bracket-name", "[zz]"),
  badHost("bracket-short", "[1]"),
  badHost("backslash", "a\\b"),
  badHost("escape", "a%2"),
  goodHost("name", "plants.example"),
  goodHost("comma", "a,b"),
  goodHost("port", "plants.example:8000"),
  goodHost("address", "127.0.0.1:1"),
  goodHost("address6", "[::1]:8000"),
  goodHost("underscore", "plant_store"),
  goodHost("escaped", "caf%C3%A9.example"),
  {
    id: "host.route",
    target: "/nope",
    headers: [["Host", "h/plants?x="], bearer("all")],
    status: 400,
    body: error(400),
  },
  {
    id: "host.before-preflight",
    method: "OPTIONS",
    headers: [["Host", "h/"], ORIGIN, ASKED],
    status: 400,
  },
  {
    id: "host.before-path",
    target: "/nope",
    headers: [["Host", "h/"]],
    status: 400,
    has: { "access-control-allow-origin": "*" },
  },

  // Conditional requests; ETAG stands for the tag of the plain answer
  ...[
    ["same", "ETAG", 304],
    ["weak", "W/ETAG", 304],
    ["list", '"a", W/ETAG, "b"', 304],
    ["list-tight", '"a",ETAG', 304],
    ["star", "*", 304],
    ["comma-inside", '"a,b", ETAG', 304],
    ["other", '"a"', 200],
    ["unquoted", "a", 200],
    ["longer", '"xETAG"', 200],
    ["spaces", `"a"${" ".repeat(4000)}, ETAG`, 304],
  ].map(([id, tags, status]): Case => ({
    id: `conditional.${id}`,
    headers: [bearer("all"), ["If-None-Match", tags as string]],
    status: status as number,
    has: {
      "etag": /^"/,
      "cache-control": "private, no-cache",
      "vary": "Authorization",
      ...status === 304 && { "content-length": null, "content-type": null },
    },
    body: status === 304 ? "" : PLANTS,
  })),
  {
    id: "conditional.twice",
    headers: [bearer("all"), ["If-None-Match", '"a"'], [
      "If-None-Match",
      "ETAG",
    ]],
    status: 304,
  },
  {
    id: "conditional.head",
    method: "HEAD",
    headers: [bearer("all"), ["If-None-Match", "ETAG"]],
    status: 304,
    body: "",
  },
  {
    id: "conditional.other-user",
    headers: [bearer("ferns"), ["If-None-Match", "ETAG"]],
    status: 200,
    body: [FERN],
  },
  {
    id: "conditional.other-limit",
    target: "/plants?limit=1",
    headers: [bearer("all"), ["If-None-Match", "ETAG"]],
    status: 200,
    body: [MONSTERA],
  },
  {
    id: "conditional.equal-body",
    target: "/plants?limit=6",
    headers: [bearer("a.b-c_d~e+f/g=="), ["If-None-Match", "ETAG"]],
    status: 304,
  },
  {
    id: "conditional.after-credentials",
    headers: [["If-None-Match", "*"]],
    body: error(401),
    ...NO_CREDENTIALS,
  },
  {
    id: "conditional.after-limit",
    target: "/plants?limit=x",
    headers: [bearer("all"), ["If-None-Match", "*"]],
    status: 400,
  },
  {
    id: "conditional.missing-path",
    target: "/nope",
    headers: [["If-None-Match", "*"]],
    status: 404,
  },

  // CORS
  ...[
    ["list", "/plants", ALL, 200],
    ["same", "/plants", [bearer("all"), ["If-None-Match", "*"]], 304],
    ["unauthorized", "/plants", [], 401],
    ["bad-limit", "/plants?limit=x", ALL, 400],
    ["missing", "/nope", [], 404],
    ["health", "/healthz", [], 200],
  ].map(([id, target, headers, status]): Case => ({
    id: `cors.any.${id}`,
    target: target as string,
    headers: [ORIGIN, ...headers as typeof ALL],
    status: status as number,
    has: {
      "access-control-allow-origin": "*",
      "access-control-expose-headers":
        "ETag, WWW-Authenticate, Allow, Retry-After",
      "access-control-allow-credentials": null,
    },
  })),
  {
    id: "cors.any.method",
    method: "POST",
    headers: [ORIGIN],
    status: 405,
    has: { "access-control-allow-origin": "*" },
  },
  ...["/plants", "/nope", "/healthz", "/"].map((target): Case => ({
    id: `preflight.${target}`,
    method: "OPTIONS",
    target,
    headers: [ORIGIN, ASKED, [
      "Access-Control-Request-Headers",
      "authorization",
    ]],
    status: 204,
    has: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers": "Authorization, *",
      "access-control-max-age": "600",
      "content-length": null,
    },
    body: "",
  })),
  {
    id: "cors.listed.match",
    setup: "listed",
    headers: [ORIGIN, bearer("all")],
    status: 200,
    has: {
      "access-control-allow-origin": "https://a.example",
      "vary": "Authorization, Origin",
    },
  },
  {
    id: "cors.listed.other",
    setup: "listed",
    headers: [OTHER, bearer("all")],
    status: 200,
    has: {
      "access-control-allow-origin": null,
      "access-control-expose-headers": null,
      "vary": "Authorization, Origin",
    },
  },
  {
    id: "cors.listed.none",
    setup: "listed",
    headers: ALL,
    status: 200,
    has: {
      "access-control-allow-origin": null,
      "vary": "Authorization, Origin",
    },
  },
  {
    id: "cors.listed.error",
    setup: "listed",
    headers: [["Origin", "http://localhost:3000"]],
    status: 401,
    has: {
      "access-control-allow-origin": "http://localhost:3000",
      "vary": "Origin",
    },
  },
  {
    id: "preflight.listed.match",
    setup: "listed",
    method: "OPTIONS",
    headers: [ORIGIN, ASKED],
    status: 204,
    has: {
      "access-control-allow-origin": "https://a.example",
      "access-control-allow-headers": "Authorization, *",
      "vary": "Origin",
    },
  },
  {
    id: "preflight.listed.other",
    setup: "listed",
    method: "OPTIONS",
    headers: [OTHER, ASKED],
    status: 204,
    has: {
      "access-control-allow-origin": null,
      "access-control-allow-headers": null,
      "vary": "Origin",
    },
  },
  {
    id: "cors.closed.list",
    setup: "closed",
    headers: [ORIGIN, bearer("all")],
    status: 200,
    has: {
      "access-control-allow-origin": null,
      "access-control-expose-headers": null,
      "vary": "Authorization",
    },
  },
  {
    id: "preflight.closed",
    setup: "closed",
    method: "OPTIONS",
    headers: [ORIGIN, ASKED],
    status: 204,
    has: {
      "access-control-allow-origin": null,
      "access-control-allow-methods": null,
      "vary": null,
    },
  },

  // Beside the operation
  {
    id: "health",
    target: "/healthz",
    status: 200,
    has: { "content-type": "application/json", "cache-control": "no-store" },
    body: { status: "ok" },
  },
  { id: "health.query", target: "/healthz?x", status: 200 },
  // What it tells of the plants has a test of its own.
  { id: "ready", target: "/readyz", status: 200 },
  missing("page", "/?x"),
  missing("openapi", "/openapi.json"),
  {
    id: "openapi",
    setup: "documented",
    target: "/openapi.json",
    status: 200,
    has: {
      "content-type": "application/json",
      "etag": /^"[0-9a-f]{32}"$/,
      "cache-control": "no-cache",
      "vary": null,
    },
    body: /^\{\n {2}"openapi": "3\.1\.0",\n/,
  },
  {
    id: "openapi.head",
    setup: "documented",
    method: "HEAD",
    target: "/openapi.json",
    status: 200,
    body: "",
  },
  {
    id: "openapi.host",
    setup: "documented",
    target: "/openapi.json",
    headers: [["Host", "plants.example:81"]],
    status: 200,
    body: /"url": "http:\/\/plants\.example:81"/,
  },
  {
    id: "openapi.absolute",
    setup: "documented",
    target: "http://other.example:81/openapi.json",
    headers: [["Host", "plants.example"]],
    status: 200,
    body: /"url": "http:\/\/other\.example:81"/,
  },
  {
    id: "openapi.same",
    setup: "documented",
    target: "/openapi.json",
    headers: [["If-None-Match", "*"]],
    status: 304,
    has: { "etag": /^"/, "cache-control": "no-cache", "content-type": null },
    body: "",
  },
  {
    id: "openapi.method",
    setup: "documented",
    method: "POST",
    target: "/openapi.json",
    status: 405,
    has: { "allow": "GET, HEAD, OPTIONS" },
    body: error(405),
  },
  {
    id: "openapi.options",
    setup: "documented",
    method: "OPTIONS",
    target: "/openapi.json",
    status: 204,
  },

  // The base path
  {
    id: "base.list",
    setup: "based",
    target: "/api/v1/plants?limit=1",
    headers: ALL,
    status: 200,
    body: [MONSTERA],
  },
  { id: "base.health", setup: "based", target: "/api/v1/healthz", status: 200 },
  { id: "base.ready", setup: "based", target: "/api/v1/readyz", status: 200 },
  {
    id: "base.openapi",
    setup: "based",
    target: "/api/v1/openapi.json",
    headers: [["Host", "plants.example"]],
    status: 200,
    body: /"url": "http:\/\/plants\.example\/api\/v1"/,
  },
  {
    id: "base.openapi-outside",
    setup: "based",
    target: "/openapi.json",
    status: 404,
  },
  {
    id: "base.outside",
    setup: "based",
    target: "/plants",
    headers: ALL,
    status: 404,
    body: /at \/api\/v1\/plants/,
  },
  {
    id: "base.health-outside",
    setup: "based",
    target: "/healthz",
    status: 404,
  },
  {
    id: "base.twice",
    setup: "based",
    target: "/api/v1/api/v1/plants",
    status: 404,
  },
  {
    id: "base.escaped",
    setup: "based",
    target: "/%61pi/v1/healthz",
    status: 200,
  },

  // A store that fails
  {
    id: "broken.list",
    setup: "broken",
    headers: ALL,
    status: 400,
    has: { "cache-control": "no-store", "www-authenticate": null },
    body: error(500),
  },
  {
    id: "broken.list-later",
    setup: "broken",
    headers: [bearer("later")],
    status: 400,
    body: error(500),
  },
  {
    id: "broken.nothing-internal",
    setup: "broken",
    headers: ALL,
    status: 400,
    body: /^(?!.*secret detail)/s,
  },
  { id: "broken.health", setup: "broken", target: "/healthz", status: 200 },
  {
    id: "broken.ready",
    setup: "broken",
    target: "/readyz",
    status: 503,
    body: error(503),
  },
  {
    id: "broken.credentials-first",
    setup: "broken",
    body: error(401),
    ...NO_CREDENTIALS,
  },
  {
    id: "away.list",
    setup: "away",
    headers: ALL,
    status: 503,
    has: {
      "retry-after": "1",
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
    },
    body: error(503),
  },
  {
    id: "away.list-later",
    setup: "away",
    headers: [bearer("later")],
    status: 503,
    has: { "retry-after": "1" },
  },
  {
    id: "away.ready",
    setup: "away",
    target: "/readyz",
    status: 503,
    has: { "retry-after": "1" },
    body: error(503),
  },
];
