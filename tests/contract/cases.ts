import type { Access, Plant } from "../../mod.ts";

/** A request as it is sent. */
export interface CaseRequest {
  readonly method?: string;
  readonly target?: string;
  /** The headers in their order; a name can be repeated. */
  readonly headers?: readonly (readonly [string, string])[];
}

/** A response as it is received. */
export interface CaseResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The configuration of the service; `open` unless a case sets another one. */
export type Setup =
  | "open"
  | "documented"
  | "based"
  | "listed"
  | "closed"
  | "broken"
  | "unavailable";

/** One rule in the contract. */
export interface Case extends CaseRequest {
  readonly id: string;
  readonly setup?: Setup;
  readonly status: number;
  /** The headers that the response must have; null: must not have. */
  readonly has?: Readonly<Record<string, string | RegExp | null>>;
  /** The body: a value as JSON, a pattern of its text, or `""`. */
  readonly body?: unknown;
}

/** The plants of every setup, in catalog order. */
export const PLANTS: readonly Plant[] = [
  { name: "Monstera deliciosa", tag: "vine" },
  { name: "Nephrolepis exaltata", tag: "fern" },
  { name: "Rosa canina", tag: "flower" },
  { name: "Equisetum hyemale" },
  { name: "Rosa canina", tag: "shrub" },
  { name: 'Tillandsia "ionantha" \u{1F33F}\n', tag: "蘭" },
];

const [MONSTERA, FERN, ROSE, HORSETAIL, SHRUB_ROSE, ODD] = PLANTS;

/** The users of every setup. Each user's token is the key. */
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
const METHODS = "GET, HEAD, OPTIONS";
const ORIGIN = ["Origin", "https://a.example"] as const;
const OTHER = ["Origin", "https://b.example"] as const;
const REQUESTED = ["Access-Control-Request-Method", "GET"] as const;
const ALLOW_ORIGIN = "access-control-allow-origin";
const ifNoneMatch = (tags: string) => ["If-None-Match", tags] as const;

/** An Error body with this number and a message. */
const error = (number: number) =>
  new RegExp(`^\\{"error":${number},"message":"(?:[^"\\\\]|\\\\.){8,}"\\}$`);

/** A request line, like `GET /plants`, and its response. */
function request(
  id: string,
  line: string,
  status: number,
  rest: Omit<Case, "id" | "method" | "target" | "status"> = {},
): Case {
  const [method = "GET", target = ""] = line.split(" ");
  return { id, method, target, status, ...rest };
}

/** Cases in another setup. */
const inSetup = (setup: Setup, cases: readonly Case[]): readonly Case[] =>
  cases.map((each) => ({ ...each, setup }));

const NO_TOKEN = {
  has: { "www-authenticate": REALM },
  body: error(401),
};
const INVALID_TOKEN = {
  has: { "www-authenticate": `${REALM}, error="invalid_token"` },
  body: error(401),
};

/** The plants that `GET /plants` lists for a token. */
const lists = (token: string, body: readonly unknown[]): Case =>
  request(`access.${token}`, "GET /plants", 200, {
    headers: [bearer(token)],
    body,
  });

/** The plants that a query lists for the user who can see all of them. */
const accepts = (id: string, query: string, body: readonly unknown[]): Case =>
  request(id, `GET /plants?${query}`, 200, { headers: ALL, body });

/** A query whose `limit` is rejected; the message quotes `shown`. */
const rejects = (id: string, query: string, shown: string): Case =>
  request(`limit.rejected.${id}`, `GET /plants?${query}`, 400, {
    headers: ALL,
    has: { "cache-control": "no-store" },
    body: new RegExp(
      `^\\{"error":400,"message":"limit must .*${
        JSON.stringify(JSON.stringify(shown)).slice(1, -1)
          .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
      }`,
    ),
  });

/** `Authorization` headers that are rejected. */
const authorization = (
  id: string,
  values: readonly string[],
  rest: typeof NO_TOKEN,
): Case =>
  request(`credentials.${id}`, "GET /plants", 401, {
    headers: values.map((value) => ["Authorization", value]),
    ...rest,
  });

/** A target that does not exist. */
const missing = (id: string, target: string): Case =>
  request(`path.missing.${id}`, `GET ${target}`, 404, {
    headers: ALL,
    has: { "cache-control": "no-store" },
    body: error(404),
  });

/** A target that is another form of `/plants`. */
const found = (id: string, target: string): Case =>
  request(`path.found.${id}`, `GET ${target}`, 200, {
    headers: ALL,
    body: PLANTS,
  });

/** A valid `Host`. */
const goodHost = (id: string, host: string): Case =>
  request(`host.good.${id}`, "GET /plants", 200, {
    headers: [["Host", host], bearer("all")],
  });

/** An invalid `Host`. */
const badHost = (id: string, host: string): Case =>
  request(`host.bad.${id}`, "GET /plants", 400, {
    headers: [["Host", host], bearer("all")],
    body: error(400),
  });

/** An `If-None-Match`, where ETAG is the ETag of the plain response. */
const conditional = (id: string, tags: string, status: 200 | 304): Case =>
  request(`conditional.${id}`, "GET /plants", status, {
    headers: [bearer("all"), ifNoneMatch(tags)],
    has: {
      "etag": /^"/,
      "cache-control": "private, no-cache",
      "vary": "Authorization",
      ...status === 304 && { "content-length": null, "content-type": null },
    },
    body: status === 304 ? "" : PLANTS,
  });

/** The headers of a response that an origin, each one, or none can read. */
const readable = (origin: string | null, vary?: string | null) => ({
  [ALLOW_ORIGIN]: origin,
  "access-control-expose-headers": origin &&
    "ETag, WWW-Authenticate, Allow, Retry-After",
  "access-control-allow-credentials": null,
  "x-request-id": null,
  ...vary !== undefined && { vary },
});

/** A response that every origin can read. */
const crossOrigin = (
  id: string,
  line: string,
  status: number,
  headers: readonly (readonly [string, string])[] = [],
): Case =>
  request(`cors.any.${id}`, line, status, {
    headers: [ORIGIN, ...headers],
    has: readable("*"),
  });

/** A preflight that every origin passes. */
const preflight = (target: string): Case =>
  request(`preflight.${target}`, `OPTIONS ${target}`, 204, {
    headers: [
      ORIGIN,
      REQUESTED,
      ["Access-Control-Request-Headers", "authorization"],
    ],
    has: {
      [ALLOW_ORIGIN]: "*",
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": "Authorization, *",
      "access-control-max-age": "600",
      "content-length": null,
    },
    body: "",
  });

/** The contract: a request and its response for each rule of docs/http-api.md. */
export const CASES: readonly Case[] = [
  // The list
  request("list.all", "GET /plants", 200, {
    headers: ALL,
    has: {
      "content-type": "application/json",
      "etag": /^"[\x21\x23-\x7e]+"$/,
      "cache-control": "private, no-cache",
      "vary": "Authorization",
      "www-authenticate": null,
    },
    body: PLANTS,
  }),
  lists("none", []),
  lists("ferns", [FERN]),
  lists("roses", [ROSE, SHRUB_ROSE]),
  lists("mixed", [MONSTERA, ROSE, HORSETAIL]),
  lists("odd", [ODD]),
  lists("constructor", [SHRUB_ROSE]),
  lists("a.b-c_d~e+f/g==", PLANTS),
  request("access.limited", "GET /plants?limit=2", 200, {
    headers: [bearer("mixed")],
    body: [MONSTERA, ROSE],
  }),

  // limit
  accepts("limit.two", "limit=2", [MONSTERA, FERN]),
  accepts("limit.one", "limit=1", [MONSTERA]),
  accepts("limit.zero", "limit=0", []),
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
  accepts("query.others", "__proto__=1&page=x", PLANTS),
  accepts("query.empty", "", PLANTS),
  accepts("query.mixed", "page=2&limit=1", [MONSTERA]),
  rejects("negative", "limit=-1", "-1"),
  rejects("minus-zero", "limit=-0", "-0"),
  rejects("leading-zero", "limit=007", "007"),
  rejects("zeros", "limit=00", "00"),
  rejects("exponent", "limit=1e3", "1e3"),
  rejects("hexadecimal", "limit=0x10", "0x10"),
  rejects("fraction", "limit=5.5", "5.5"),
  rejects("point", "limit=5.0", "5.0"),
  rejects("space", "limit=%205", " 5"),
  rejects("plus", "limit=+5", " 5"),
  rejects("plus-sign", "limit=%2B5", "+5"),
  rejects("empty", "limit=", ""),
  rejects("bare", "limit", ""),
  rejects("full-width", "limit=%EF%BC%92", "２"),
  rejects("nul", "limit=5%00", "5\0"),
  rejects("line-feed", "limit=5%0A", "5\n"),
  rejects("bad-escape", "limit=%ZZ", "%ZZ"),
  rejects("bad-utf8", "limit=%FF", "\uFFFD"),
  rejects("quote", "limit=%22", '"'),
  rejects("word", "limit=null", "null"),
  rejects("comma", "limit=1,2", "1,2"),
  rejects("semicolon", "limit=1;2", "1;2"),
  rejects("over-int32", "limit=2147483648", "2147483648"),
  rejects("huge", "limit=99999999999999999999", "99999999999999999999"),
  rejects("twice", "limit=1&limit=2", "1, 2"),
  rejects("twice-equal", "limit=1&limit=1", "1, 1"),
  rejects("twice-escaped", "limit=1&%6Cimit=1", "1, 1"),
  rejects("escaped-name", "%6cimit=x", "x"),
  rejects("longest", `limit=${"x".repeat(64)}`, "x".repeat(64)),
  rejects("cut", `limit=${"x".repeat(64)}y`, "x".repeat(64)),
  rejects(
    "cut-character",
    `limit=${"%F0%9F%8C%BF".repeat(65)}`,
    "\u{1F33F}".repeat(64),
  ),

  // Credentials
  request("credentials.none", "GET /plants", 401, NO_TOKEN),
  authorization("empty", [""], NO_TOKEN),
  authorization("basic", ["Basic all"], NO_TOKEN),
  authorization("bare-token", ["all"], NO_TOKEN),
  authorization("longer-scheme", ["BearerX all"], NO_TOKEN),
  authorization("prefixed-scheme", ["NotBearer all"], NO_TOKEN),
  authorization("basic-first", ["Basic x", "Bearer all"], NO_TOKEN),
  authorization("empty-first", ["", "Bearer all"], NO_TOKEN),
  authorization("scheme-alone", ["Bearer"], NO_TOKEN),
  authorization("unknown", ["Bearer nobody"], INVALID_TOKEN),
  authorization("case-of-token", ["Bearer ALL"], INVALID_TOKEN),
  authorization("two-tokens", ["Bearer all all"], INVALID_TOKEN),
  authorization("quoted", ['Bearer "all"'], INVALID_TOKEN),
  authorization("tab", ["Bearer\tall"], INVALID_TOKEN),
  authorization("comma", ["Bearer all,"], INVALID_TOKEN),
  authorization("equals-first", ["Bearer =all"], INVALID_TOKEN),
  authorization("twice", ["Bearer all", "Bearer all"], INVALID_TOKEN),
  authorization("good-first", ["Bearer all", "Bearer nobody"], INVALID_TOKEN),
  authorization("good-last", ["Bearer nobody", "Bearer all"], INVALID_TOKEN),
  authorization("bearer-first", ["Bearer all", "Basic x"], INVALID_TOKEN),
  authorization("expired", ["Bearer expired"], INVALID_TOKEN),
  ...["__proto__", "toString", "hasOwnProperty", "prototype"].map((name) =>
    authorization(`name.${name}`, [`Bearer ${name}`], INVALID_TOKEN)
  ),
  request("credentials.query", "GET /plants?access_token=all", 401, NO_TOKEN),
  request("credentials.before-limit", "GET /plants?limit=x", 401, NO_TOKEN),
  request("credentials.scheme-case", "GET /plants", 200, {
    headers: [["authorization", "bEARER all"]],
    body: PLANTS,
  }),
  request("credentials.spaces", "GET /plants", 200, {
    headers: [["Authorization", "Bearer    all"]],
  }),

  // Methods
  request("head.list", "HEAD /plants", 200, {
    headers: ALL,
    has: { "etag": /^"/, "content-type": "application/json" },
    body: "",
  }),
  request("head.health", "HEAD /healthz", 200, { body: "" }),
  request("head.ready", "HEAD /readyz", 200, { body: "" }),
  request("head.unauthorized", "HEAD /plants", 401, { ...NO_TOKEN, body: "" }),
  request("head.missing", "HEAD /nope", 404, { body: "" }),
  ...["POST", "PUT", "PATCH", "DELETE", "QUERY", "PROPFIND"].map((method) =>
    request(`method.${method}`, `${method} /plants`, 405, {
      has: { "allow": METHODS, "cache-control": "no-store" },
      body: error(405),
    })
  ),
  request("method.health", "POST /healthz", 405, { has: { allow: METHODS } }),
  request("method.ready", "POST /readyz", 405, { has: { allow: METHODS } }),
  request("method.after-path", "POST /nope", 404),
  request("method.before-credentials", "DELETE /plants", 405, {
    headers: [bearer("nobody")],
    has: { "www-authenticate": null },
  }),
  request("options.list", "OPTIONS /plants", 204, {
    has: {
      "allow": METHODS,
      "content-length": null,
      "access-control-allow-methods": null,
    },
    body: "",
  }),
  request("options.health", "OPTIONS /healthz", 204),
  request("options.asterisk", "OPTIONS *", 204, { has: { allow: METHODS } }),
  request("options.missing", "OPTIONS /nope", 404, { has: { allow: null } }),
  ...[ORIGIN, REQUESTED].map((header) =>
    request(`options.${header[0]}-alone`, "OPTIONS /plants", 204, {
      headers: [header],
      has: { allow: METHODS },
    })
  ),

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
  request("path.absolute-query", "GET http://o.example/plants?limit=1", 200, {
    headers: ALL,
    body: [MONSTERA],
  }),

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
  badHost("long", "a".repeat(256)),
  goodHost("name", "plants.example"),
  goodHost("comma", "a,b"),
  goodHost("port", "plants.example:8000"),
  goodHost("address", "127.0.0.1:1"),
  goodHost("address6", "[::1]:8000"),
  goodHost("underscore", "plant_store"),
  goodHost("escaped", "caf%C3%A9.example"),
  goodHost("long", `${"a".repeat(255)}:8000`),
  request("host.route", "GET /nope", 400, {
    headers: [["Host", "h/plants?x="], bearer("all")],
    body: error(400),
  }),
  request("host.before-preflight", "OPTIONS /plants", 400, {
    headers: [["Host", "h/"], ORIGIN, REQUESTED],
  }),
  request("host.before-path", "GET /nope", 400, {
    headers: [["Host", "h/"]],
    has: { [ALLOW_ORIGIN]: "*" },
  }),

  // Conditional requests
  conditional("same", "ETAG", 304),
  conditional("weak", "W/ETAG", 304),
  conditional("list", '"a", W/ETAG, "b"', 304),
  conditional("list-tight", '"a",ETAG', 304),
  conditional("star", "*", 304),
  conditional("comma-inside", '"a,b", ETAG', 304),
  conditional("other", '"a"', 200),
  conditional("unquoted", "a", 200),
  conditional("longer", '"xETAG"', 200),
  conditional("spaces", `"a"${" ".repeat(4000)}, ETAG`, 304),
  request("conditional.twice", "GET /plants", 304, {
    headers: [bearer("all"), ifNoneMatch('"a"'), ifNoneMatch("ETAG")],
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
  request("conditional.equal-body", "GET /plants?limit=6", 304, {
    headers: [bearer("a.b-c_d~e+f/g=="), ifNoneMatch("ETAG")],
  }),
  request("conditional.after-credentials", "GET /plants", 401, {
    headers: [ifNoneMatch("*")],
  }),
  request("conditional.after-limit", "GET /plants?limit=x", 400, {
    headers: [bearer("all"), ifNoneMatch("*")],
  }),
  request("conditional.missing-path", "GET /nope", 404, {
    headers: [ifNoneMatch("*")],
  }),

  // CORS
  crossOrigin("list", "GET /plants", 200, ALL),
  crossOrigin("same", "GET /plants", 304, [...ALL, ifNoneMatch("*")]),
  crossOrigin("unauthorized", "GET /plants", 401),
  crossOrigin("bad-limit", "GET /plants?limit=x", 400, ALL),
  crossOrigin("missing", "GET /nope", 404),
  crossOrigin("health", "GET /healthz", 200),
  crossOrigin("method", "POST /plants", 405),
  ...["/plants", "/nope", "/healthz", "/"].map(preflight),
  ...inSetup("listed", [
    request("cors.listed.match", "GET /plants", 200, {
      headers: [ORIGIN, bearer("all")],
      has: readable("https://a.example", "Authorization, Origin"),
    }),
    request("cors.listed.other", "GET /plants", 200, {
      headers: [OTHER, bearer("all")],
      has: readable(null, "Authorization, Origin"),
    }),
    request("cors.listed.none", "GET /plants", 200, {
      headers: ALL,
      has: readable(null, "Authorization, Origin"),
    }),
    request("cors.listed.error", "GET /plants", 401, {
      headers: [["Origin", "http://localhost:3000"]],
      has: readable("http://localhost:3000", "Origin"),
    }),
    request("preflight.listed.match", "OPTIONS /plants", 204, {
      headers: [ORIGIN, REQUESTED],
      has: {
        ...readable("https://a.example", "Origin"),
        "access-control-allow-headers": "Authorization, *",
      },
    }),
    request("preflight.listed.other", "OPTIONS /plants", 204, {
      headers: [OTHER, REQUESTED],
      has: {
        ...readable(null, "Origin"),
        "access-control-allow-headers": null,
      },
    }),
  ]),
  ...inSetup("closed", [
    request("cors.closed.list", "GET /plants", 200, {
      headers: [ORIGIN, bearer("all")],
      has: readable(null, "Authorization"),
    }),
    request("preflight.closed", "OPTIONS /plants", 204, {
      headers: [ORIGIN, REQUESTED],
      has: { ...readable(null, null), "access-control-allow-methods": null },
    }),
  ]),

  // Other paths
  request("health", "GET /healthz", 200, {
    has: { "content-type": "application/json", "cache-control": "no-store" },
    body: { status: "ok" },
  }),
  request("health.query", "GET /healthz?x", 200),
  // Another test covers what /readyz reports.
  request("ready", "GET /readyz", 200),
  missing("page", "/?x"),
  missing("openapi", "/openapi.json"),
  ...inSetup("documented", [
    request("openapi", "GET /openapi.json", 200, {
      has: {
        "content-type": "application/json",
        "etag": /^"[0-9a-f]{32}"$/,
        "cache-control": "no-cache",
        "vary": null,
      },
      body: /^\{\n {2}"openapi": "3\.1\.0",\n/,
    }),
    request("openapi.head", "HEAD /openapi.json", 200, { body: "" }),
    request("openapi.host", "GET /openapi.json", 200, {
      headers: [["Host", "plants.example:81"]],
      body: /"url": "http:\/\/plants\.example:81"/,
    }),
    request("openapi.absolute", "GET http://o.example:81/openapi.json", 200, {
      headers: [["Host", "plants.example"]],
      body: /"url": "http:\/\/o\.example:81"/,
    }),
    request("openapi.same", "GET /openapi.json", 304, {
      headers: [ifNoneMatch("*")],
      has: { "etag": /^"/, "cache-control": "no-cache", "content-type": null },
      body: "",
    }),
    request("openapi.method", "POST /openapi.json", 405, {
      has: { "allow": METHODS },
      body: error(405),
    }),
    request("openapi.options", "OPTIONS /openapi.json", 204),
  ]),

  // The base path
  ...inSetup("based", [
    request("base.list", "GET /api/v1/plants?limit=1", 200, {
      headers: ALL,
      body: [MONSTERA],
    }),
    request("base.health", "GET /api/v1/healthz", 200),
    request("base.ready", "GET /api/v1/readyz", 200),
    request("base.openapi", "GET /api/v1/openapi.json", 200, {
      headers: [["Host", "plants.example"]],
      body: /"url": "http:\/\/plants\.example\/api\/v1"/,
    }),
    request("base.openapi-outside", "GET /openapi.json", 404),
    request("base.outside", "GET /plants", 404, {
      headers: ALL,
      body: /at \/api\/v1\/plants/,
    }),
    request("base.health-outside", "GET /healthz", 404),
    request("base.twice", "GET /api/v1/api/v1/plants", 404),
    request("base.escaped", "GET /%61pi/v1/healthz", 200),
  ]),

  // A store that fails synchronously, or asynchronously for the token `later`
  ...inSetup("broken", [
    ...["all", "later"].map((token) =>
      request(`broken.list.${token}`, "GET /plants", 400, {
        headers: [bearer(token)],
        has: { "www-authenticate": null },
        body: error(500),
      })
    ),
    request("broken.nothing-internal", "GET /plants", 400, {
      headers: ALL,
      body: /^(?!.*secret detail)/s,
    }),
    request("broken.health", "GET /healthz", 200),
    request("broken.ready", "GET /readyz", 503, { body: error(503) }),
    request("broken.credentials-first", "GET /plants", 401, NO_TOKEN),
  ]),
  ...inSetup("unavailable", [
    ...["GET /plants", "GET /plants?later", "GET /readyz"].map((line) =>
      request(`unavailable.${line}`, line, 503, {
        headers: [bearer(line.includes("later") ? "later" : "all"), ORIGIN],
        has: { ...readable("*"), "retry-after": "1" },
        body: error(503),
      })
    ),
  ]),
];
