import { createHandler, createMemoryStore, type Plant } from "../../mod.ts";
import type { Access } from "../../src/domain/access.ts";
import { PLANTS, USERS } from "../../src/contract/data.ts";
import type { Handler } from "../../src/contract/verify.ts";

// Implementations with one fault each, as wrappers around the handler.

/** A fault, and the first test case that finds it. */
export interface Fault {
  readonly name: string;
  readonly section: number;
  /** The ID of the first test case that fails. */
  readonly id: string;
  readonly handler: Handler;
}

/** Creates the handler with other plants, or other users. */
function create(
  plants: readonly Plant[] = PLANTS,
  toUser: (token: string, access: Access) => readonly [string, Access] = (
    ...user
  ) => user,
): Handler {
  const users = USERS.filter(({ user }) => user !== "late")
    .map(({ token, plants }) => toUser(token, plants))
    .map(([token, plants]) => [token, { plants, tokens: [token] }]);
  return createHandler(
    createMemoryStore({ plants, users: Object.fromEntries(users) }),
  );
}

const handler = create();

/** Changes responses. */
const change = (
  change: (
    response: Response,
    request: Request,
  ) => Response | void | Promise<Response | void>,
  inner: Handler = handler,
): Handler =>
async (request) => {
  const response = await inner(request);
  const copy = new Response(response.body, response);
  return await change(copy, request) ?? copy;
};

/** Changes a header of the responses to which a condition applies. */
const header = (
  name: string,
  value: string | null,
  applies: (response: Response, request: Request) => boolean = () => true,
): Handler =>
  change((response, request) => {
    if (!applies(response, request)) return;
    if (value === null) response.headers.delete(name);
    else if (response.headers.has(name)) response.headers.set(name, value);
  });

/** Changes the body of errors. */
const errorBody = (toBody: (body: { message: string }) => unknown): Handler =>
  change(async (response, { method }) => {
    if (response.status < 400) return;
    const { status, headers } = response;
    headers.delete("content-length");
    if (method === "HEAD") return;
    const text = JSON.stringify(toBody(await response.json()));
    return new Response(text, { status, headers });
  });

interface Part {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** Creates a request with other parts. */
function withParts(
  request: Request,
  { url, method, headers = {} }: Part,
): Request {
  const isSame = (url ?? request.url) === request.url &&
    (method ?? request.method) === request.method &&
    Object.entries(headers).every(([name, value]) =>
      request.headers.get(name) === value
    );
  // Deno's copies drop empty headers.
  if (isSame) return request;
  const copy = new Headers(request.headers);
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) copy.delete(name);
    else copy.set(name, value);
  }
  return new Request(url ?? request.url, {
    method: method ?? request.method,
    headers: copy,
  });
}

/** Changes requests. */
const before = (
  toParts: (request: Request, url: URL) => Part | Response | undefined,
): Handler =>
(request) => {
  const parts = toParts(request, new URL(request.url)) ?? {};
  return parts instanceof Response ? parts : handler(withParts(request, parts));
};

/** Changes the value of `limit`; null removes it, undefined rejects it. */
const limit = (
  read: (value: string) => string | null | undefined,
): Handler =>
  before((_, url) => {
    const values = url.searchParams.getAll("limit");
    if (values.length !== 1) return undefined;
    const value = read(values[0]!);
    url.searchParams.delete("limit");
    if (value !== null) url.searchParams.set("limit", value ?? "invalid");
    return { url: url.href };
  });

/** Changes the path. */
const path = (toPath: (path: string) => string): Handler =>
  before((_, url) => {
    const origin = "http://localhost";
    const changed = toPath(url.pathname);
    return changed === url.pathname
      ? {}
      : { url: origin + changed + url.search };
  });

const authorization = (
  toValue: (value: string) => string | null,
): Handler =>
  before((request) => ({
    headers: {
      authorization: toValue(request.headers.get("authorization") ?? ""),
    },
  }));

/** Responds to some requests with a status and an Error body. */
const reject = (
  status: number,
  applies: (request: Request, url: URL) => boolean,
): Handler =>
(request) => {
  if (!applies(request, new URL(request.url))) return handler(request);
  return change(
    (response) =>
      new Response(`{"error":${status},"message":"rejected"}`, {
        status,
        headers: {
          ...Object.fromEntries(response.headers),
          "content-length": "36",
        },
      }),
    (request) =>
      handler(withParts(request, { method: "GET", url: "http://h/nope" })),
  )(request);
};

const isList = ({ status }: Response, { url }: Request) =>
  (status === 200 || status === 304) && !/z(?:\?|$)/.test(url);
const isError = ({ status }: Response) => status >= 400;
const has = (name: string) => ({ headers }: Request) => headers.has(name);

/** A handler that returns the first list for every later request for the path. */
function remember(): Handler {
  let first: string | undefined;
  return change(async (response, { url }) => {
    if (response.status !== 200 || !url.endsWith("/plants")) return;
    const body = await response.text();
    first ??= body;
    response.headers.delete("content-length");
    return new Response(body === "" ? "" : first, response);
  });
}

/** Replaces the ETag, and compares it with If-None-Match. */
const etag = (
  toEtag: (body: string) => string,
  matches = (known: string, etag: string) =>
    known === "*" ||
    known.split(/,\s*/).some((each) =>
      each.replace("W/", "") === etag.replace("W/", "")
    ),
): Handler =>
  change(async (response, request) => {
    const { method, url } = request;
    if (!isList(response, request) || !/GET|HEAD/.test(method)) return;
    // A response to HEAD has no body, from which the ETag is computed.
    const get = withParts(request, { method: "GET", url });
    const body = await (await handler(withParts(get, {
      headers: { "if-none-match": null },
    }))).text();
    const { headers } = response;
    headers.set("etag", toEtag(body));
    const known = request.headers.get("if-none-match") ?? "";
    if (known !== "" && matches(known, toEtag(body))) {
      headers.delete("content-length");
      return new Response(null, { status: 304, headers });
    }
    return new Response(request.method === "HEAD" ? null : body, { headers });
  }, (request) =>
    handler(withParts(request, { headers: { "if-none-match": null } })));

const sum = (text: string) =>
  [...text].reduce((sum, each) => (sum * 31 + each.codePointAt(0)!) % 1e9, 7);

/** Compares tags, or names, without letter case. */
function withoutCase(property: "tags" | "names"): Handler {
  const lower = (text: string) => text.toLowerCase();
  const original = new Map(
    PLANTS.flatMap(({ name, tag = "" }) => [name, tag])
      .map((text) => [lower(text), text]),
  );
  return create(PLANTS, (token, access) => {
    if (access === "all") return [token, access];
    const values = access[property]?.map((each) =>
      original.get(lower(each)) ?? each
    );
    return [token, { ...access, ...values && { [property]: values } }];
  });
}

/** The faults, in the order of the sections. */
export const FAULTS: readonly Fault[] = ([
  [
    "plants without tags",
    1,
    "list.all",
    create(PLANTS.map(({ name }) => ({ name }))),
  ],
  ["another order", 1, "list.all", create(PLANTS.toReversed())],
  [
    "plants with equal names are merged",
    1,
    "list.all",
    create(PLANTS.filter(({ tag }) => tag !== "bonsai")),
  ],
  [
    "plants with equal names and tags are merged",
    1,
    "list.all",
    create(
      PLANTS.filter(({ name, tag }, index) =>
        PLANTS.findIndex((each) => each.name === name && each.tag === tag) ===
          index
      ),
    ),
  ],
  [
    "a user without access sees everything",
    1,
    "access.none",
    create(
      PLANTS,
      (token, access) => [token, token === "none" ? "all" : access],
    ),
  ],
  [
    "names are ignored",
    1,
    "access.roses",
    create(
      PLANTS,
      (
        token,
        access,
      ) => [token, access === "all" ? access : { tags: access.tags ?? [] }],
    ),
  ],
  ["case-insensitive tags", 1, "access.tag-case", withoutCase("tags")],
  ["case-insensitive names", 1, "access.name-case", withoutCase("names")],
  ["a list that is cached for all users", 1, "access.none", remember()],
  [
    "errors without a message",
    1,
    "every.error-body",
    errorBody(({ message: _, ...rest }) => rest),
  ],
  [
    "errors with text as the number",
    1,
    "every.error-body",
    errorBody((body) => ({ ...body, error: "failed" })),
  ],
  [
    "errors with only a message",
    1,
    "every.error-body",
    errorBody(({ message }) => message),
  ],
  [
    "tokens are cut at the first special character",
    2,
    "access.characters",
    authorization((value) => value.replace(/[.~+/].*/, "")),
  ],
  [
    "a token that will expire is invalid",
    2,
    "access.valid",
    create(
      PLANTS,
      (token, access) => [token === "valid" ? "x" : token, access],
    ),
  ],
  [
    "a valid token without its scheme",
    2,
    "credentials.bare-token",
    authorization((value) => value === "all" ? "Bearer all" : value),
  ],
  [
    "any scheme that contains Bearer",
    2,
    "credentials.longer-scheme",
    authorization((value) => value.replace(/^\w*Bearer\w*/, "Bearer")),
  ],
  [
    "an expired token is valid",
    2,
    "credentials.expired",
    authorization((value) => value.replace("expired", "all")),
  ],
  [
    "case-insensitive tokens",
    2,
    "credentials.case-of-token",
    authorization((value) => value.replace("ALL", "all")),
  ],
  [
    "tokens in quotes",
    2,
    "credentials.quoted",
    authorization((value) => value.replaceAll('"', "")),
  ],
  [
    "a tab after the scheme",
    2,
    "credentials.tab",
    authorization((value) => value.replace("\t", " ")),
  ],
  [
    "a case-sensitive scheme",
    2,
    "credentials.scheme-case",
    authorization((value) => value.replace(/^bEARER/, "Other")),
  ],
  [
    "exactly one space",
    2,
    "credentials.spaces",
    authorization((value) => value.replace(/  +/, " =")),
  ],
  [
    "the first of two Authorization headers",
    2,
    "credentials.comma",
    authorization((value) => value.split(",")[0]!),
  ],
  [
    "the last of two Authorization headers",
    2,
    "credentials.basic-first",
    authorization((value) => value.replace(/.+, /, "")),
  ],
  ["no challenge", 2, "every.challenge", header("www-authenticate", null)],
  [
    "a challenge that always has an error",
    2,
    "credentials.none",
    header(
      "www-authenticate",
      'Bearer realm="plant-store", error="invalid_token"',
    ),
  ],
  [
    "a challenge that never has an error",
    2,
    "credentials.unknown",
    header("www-authenticate", 'Bearer realm="plant-store"'),
  ],
  [
    "another realm",
    2,
    "every.challenge",
    change(({ headers }) => {
      const challenge = headers.get("www-authenticate");
      if (challenge === null) return;
      headers.set("www-authenticate", challenge.replace("plant-store", "x"));
    }),
  ],
  ["limit is ignored", 3, "limit.two", limit(() => null)],
  [
    "limit=0 returns everything",
    3,
    "limit.zero",
    limit((value) => value === "0" ? null : value),
  ],
  [
    "a lower maximum",
    3,
    "limit.int32",
    limit((value) => Number(value) > 100 ? undefined : value),
  ],
  [
    "a case-insensitive limit",
    3,
    "limit.case",
    before((_, url) => ({ url: url.href.replace("LIMIT", "limit") })),
  ],
  [
    "limit[] is the same as limit",
    3,
    "limit.brackets",
    before((_, url) => ({ url: url.href.replace(/\[\]|%5B%5D/, "") })),
  ],
  [
    "limit is parsed with parseInt",
    3,
    "limit.rejected.minus-zero",
    limit((value) => `${parseInt(value) || 0}`),
  ],
  [
    "limit is parsed with Number",
    3,
    "limit.rejected.minus-zero",
    limit((value) => `${Number(value)}`),
  ],
  [
    "negative limits return everything",
    3,
    "limit.rejected.negative",
    limit((value) => value.startsWith("-") ? null : value),
  ],
  [
    "an empty limit is no limit",
    3,
    "limit.rejected.empty",
    limit((value) => value || null),
  ],
  [
    "spaces around limit",
    3,
    "limit.rejected.space",
    limit((value) => value.trim()),
  ],
  [
    "limit can exceed 32 bits",
    3,
    "limit.rejected.over-int32",
    limit((value) => /^[1-9]\d{9,}$/.test(value) ? null : value),
  ],
  [
    "the last of two limits",
    3,
    "limit.rejected.twice",
    before((_, url) => {
      const values = url.searchParams.getAll("limit");
      if (values.length > 1) url.searchParams.set("limit", values.at(-1)!);
      return { url: url.href };
    }),
  ],
  [
    "a semicolon separates parameters",
    3,
    "limit.rejected.semicolon",
    before((_, url) => ({ url: url.href.replace(";2", "&2") })),
  ],
  [
    "POST works like GET",
    4,
    "method.POST",
    before(({ method }) => method === "POST" ? { method: "GET" } : {}),
  ],
  [
    "404 for other methods",
    4,
    "method.POST",
    reject(404, ({ method }) => !/GET|HEAD|OPTIONS/.test(method)),
  ],
  [
    "any Host",
    4,
    "host.twice",
    before(({ headers }) =>
      headers.has("host") ? { headers: { host: "h" } } : {}
    ),
  ],
  [
    "an invalid Host returns 404",
    4,
    "host.twice",
    change((response, { headers }) =>
      response.status === 400 && headers.has("host")
        ? new Response(response.body, {
          status: 404,
          headers: response.headers,
        })
        : undefined
    ),
  ],
  [
    "underscores in Host are rejected",
    4,
    "host.good.underscore",
    before(({ headers }) =>
      headers.get("host")?.includes("_") ? { headers: { host: "/" } } : {}
    ),
  ],
  ["text/plain", 5, "every.content-type", header("content-type", "text/plain")],
  [
    "text/html errors",
    5,
    "every.content-type",
    header("content-type", "text/html", isError),
  ],
  [
    "no ETag on short lists",
    5,
    "every.etag",
    header(
      "etag",
      null,
      ({ headers }) => headers.get("content-length") === "2",
    ),
  ],
  [
    "lists can be stored by shared caches",
    5,
    "every.private",
    header("cache-control", "public, max-age=60", isList),
  ],
  ["no Vary", 5, "every.vary", header("vary", null)],
  [
    "errors can be stored",
    5,
    "every.no-store",
    header("cache-control", null, isError),
  ],
  ["405 without Allow", 5, "every.allow", header("allow", null, isError)],
  ["Allow without HEAD", 5, "every.allow", header("allow", "GET, OPTIONS")],
  [
    "no nosniff on 404",
    5,
    "every.nosniff",
    header("x-content-type-options", null, ({ status }) => status === 404),
  ],
  [
    "no CORS headers on errors",
    5,
    "every.allow-origin",
    header("access-control-allow-origin", null, isError),
  ],
  [
    "scripts cannot read ETag",
    5,
    "every.expose-headers",
    header("access-control-expose-headers", "Allow"),
  ],
  [
    "preflights cannot be cached",
    5,
    "every.preflight",
    header("access-control-max-age", null),
  ],
  [
    "preflights do not allow Authorization",
    5,
    "every.preflight",
    header("access-control-allow-headers", "*"),
  ],
  [
    "a wrong Content-Length",
    5,
    "every.content-length",
    header("content-length", "1", ({ status }) => status === 401),
  ],
  ["a weak ETag", 5, "every.etag", etag((body) => `W/"${sum(body)}"`)],
  ["no ETags", 6, "conditional.same", header("etag", null)],
  [
    "If-None-Match is ignored",
    6,
    "conditional.same",
    before(() => ({ headers: { "if-none-match": null } })),
  ],
  [
    "strong comparison",
    6,
    "conditional.weak",
    etag(
      (body) => `"${sum(body)}"`,
      (known, etag) => known === "*" || known.split(/,\s*/).includes(etag),
    ),
  ],
  [
    "lists of ETags have no effect",
    6,
    "conditional.list",
    etag(
      (body) => `"${sum(body)}"`,
      (known, etag) => known === "*" || known.replace("W/", "") === etag,
    ),
  ],
  [
    "an asterisk in If-None-Match has no effect",
    6,
    "conditional.star",
    before(({ headers }) =>
      headers.get("if-none-match") === "*"
        ? { headers: { "if-none-match": null } }
        : {}
    ),
  ],
  [
    "substrings of ETags match",
    6,
    "conditional.longer",
    etag(
      (body) => `"${sum(body)}"`,
      (known, etag) => known === "*" || known.includes(etag.slice(1, -1)),
    ),
  ],
  [
    "equal ETags for lists of equal length",
    6,
    "conditional.equal-length",
    etag((body) => `"${body.length}"`),
  ],
  [
    "the same ETag for every list",
    6,
    "conditional.other-user",
    etag(() => '"1"'),
  ],
  [
    "an ETag that depends on the user",
    6,
    "conditional.equal-body",
    change((_, { headers }) => {
      const user = headers.get("authorization") ?? "";
      if (!user.includes("~")) return;
      return handler(
        new Request("http://h/plants", { headers: { authorization: user } }),
      );
    }),
  ],
  ["no HEAD", 7, "head.list", reject(405, ({ method }) => method === "HEAD")],
  [
    "HEAD without ETag",
    7,
    "head.list",
    header("etag", null, (_, { method }) => method === "HEAD"),
  ],
  [
    "HEAD ignores limit",
    7,
    "head.limit",
    before(({ method }, url) =>
      method === "HEAD" ? { url: url.origin + url.pathname } : {}
    ),
  ],
  [
    "OPTIONS requires a token",
    7,
    "options.list",
    reject(
      401,
      ({ method, headers }) => method === "OPTIONS" && !headers.has("origin"),
    ),
  ],
  [
    "every OPTIONS returns 204",
    7,
    "options.missing",
    before(({ method }) =>
      method === "OPTIONS" ? { url: "http://h/plants" } : {}
    ),
  ],
  [
    "preflights for unknown paths return 404",
    7,
    "preflight.missing",
    reject(
      404,
      ({ method, url, headers }) =>
        method === "OPTIONS" && url.endsWith("/nope") && headers.has("origin"),
    ),
  ],
  [
    "preflights require a token",
    7,
    "preflight.plants",
    reject(401, has("access-control-request-headers")),
  ],
  [
    "a trailing slash is accepted",
    8,
    "path.missing.slash",
    path((path) => path.replace(/(?<=s)\/$/, "")),
  ],
  [
    "case-insensitive paths",
    8,
    "path.missing.case",
    path((path) => path.toLowerCase()),
  ],
  [
    "every path that starts with /plants",
    8,
    "path.missing.slash",
    path((path) => path.replace(/^\/plants.*/, "/plants")),
  ],
  [
    "path parameters are removed",
    8,
    "path.missing.parameter",
    path((path) => path.replace(/;.*/, "")),
  ],
  [
    "slashes are merged",
    8,
    "path.missing.double-slash",
    path((path) => path.replace(/\/+/g, "/")),
  ],
  [
    "escaped slashes separate segments",
    8,
    "path.missing.escaped-first",
    path((path) => path.replace(/^\/%2F/i, "/")),
  ],
  [
    "paths are decoded twice",
    8,
    "path.missing.twice-escaped",
    path((path) => path.replace("%25", "%")),
  ],
  [
    "escaped letters are not decoded",
    8,
    "path.found.escaped",
    path((path) => path.replace("%70", "/")),
  ],
  [
    "health checks require a token",
    9,
    "health",
    reject(
      401,
      ({ headers, method }, { pathname }) =>
        method === "GET" && pathname === "/healthz" &&
        !headers.has("authorization"),
    ),
  ],
  [
    "health checks can be stored",
    9,
    "health",
    header("cache-control", null, (_, { url }) => /healthz/.test(url)),
  ],
  [
    "a different health status",
    9,
    "health",
    change((response, { url, method }) =>
      method === "GET" && /healthz/.test(url)
        ? new Response('{"ok":true}', {
          headers: {
            ...Object.fromEntries(response.headers),
            "content-length": "11",
          },
        })
        : undefined
    ),
  ],
  [
    "no readiness check",
    9,
    "ready",
    reject(404, (_, { pathname }) => pathname === "/readyz"),
  ],
  [
    "limit before credentials",
    10,
    "credentials.before-limit",
    reject(400, (_, { search }) => search === "?limit=x"),
  ],
  [
    "methods before paths",
    10,
    "method.after-path",
    reject(405, ({ method }) => method === "POST"),
  ],
  [
    "credentials before methods",
    10,
    "method.before-credentials",
    reject(
      401,
      ({ method, headers }) =>
        method === "DELETE" && headers.has("authorization"),
    ),
  ],
  [
    "If-None-Match before credentials",
    10,
    "conditional.after-credentials",
    change((response, { headers }) =>
      response.status === 401 && headers.has("if-none-match")
        ? new Response(null, { status: 304 })
        : undefined
    ),
  ],
  [
    "paths before Host",
    10,
    "host.route",
    reject(
      404,
      ({ headers }, { pathname }) =>
        headers.has("host") && pathname === "/nope",
    ),
  ],
  [
    "access_token in the query",
    11,
    "credentials.query",
    before((_, { search }) =>
      search.includes("access_token")
        ? { headers: { authorization: "Bearer all" } }
        : {}
    ),
  ],
  [
    "unknown parameters are rejected",
    11,
    "query.others",
    reject(400, (_, { search }) => search.includes("page")),
  ],
  [
    "406 for Accept",
    11,
    "ignored.accept",
    reject(406, ({ headers }) => headers.get("accept") === "text/html"),
  ],
  [
    "206 for Range",
    11,
    "ignored.range",
    change((response, { headers }) =>
      headers.has("range")
        ? new Response("[{", {
          status: 206,
          headers: {
            ...Object.fromEntries(response.headers),
            "content-length": "2",
          },
        })
        : undefined
    ),
  ],
  ["412 for If-Match", 11, "ignored.if-match", reject(412, has("if-match"))],
  [
    "304 for If-Modified-Since",
    11,
    "ignored.if-modified-since",
    change((_, { headers }) =>
      headers.has("if-modified-since")
        ? new Response(null, { status: 304 })
        : undefined
    ),
  ],
  [
    "415 for Content-Type",
    11,
    "ignored.content-type",
    reject(415, ({ headers }) => headers.get("content-type") === "text/csv"),
  ],
  [
    "method override",
    11,
    "ignored.method-override",
    before((request) => ({
      method: request.headers.get("x-http-method-override") ?? request.method,
    })),
  ],
  [
    "tokens in cookies",
    11,
    "ignored.cookie",
    before(({ headers }) =>
      headers.has("cookie") ? { headers: { authorization: "Bearer all" } } : {}
    ),
  ],
  [
    "X-Original-URL",
    11,
    "ignored.forwarded",
    reject(404, has("x-original-url")),
  ],
  [
    "a scheme that starts with Bearer and a hyphen",
    2,
    "credentials.hyphenated-scheme",
    header(
      "www-authenticate",
      'Bearer realm="plant-store", error="invalid_token"',
      (_, { headers }) => /^bearer-/i.test(headers.get("authorization") ?? ""),
    ),
  ],
  [
    "only the first weak ETag of a list",
    6,
    "conditional.list-weak",
    before(({ headers }) => {
      const etags = headers.get("if-none-match")?.replace("W/", "");
      const known = etags?.split(/, */).filter((etag) => !/^W/.test(etag));
      return known ? { headers: { "if-none-match": known.join(", ") } } : {};
    }),
  ],
  [
    "HEAD without the limit",
    7,
    "head.first",
    before(({ method }, url) => {
      const isFirst = method === "HEAD" &&
        url.searchParams.get("limit") === "1";
      return isFirst ? { url: url.href.replace(/\?.*/, "") } : {};
    }),
  ],
] satisfies readonly (readonly [string, number, string, Handler])[])
  .map(([name, section, id, handler]) => ({ name, section, id, handler }));
