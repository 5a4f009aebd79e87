import { createHandler, createMemoryStore, type Plant } from "../../mod.ts";
import type { Access } from "../../src/domain/access.ts";
import { PLANTS, USERS } from "../../src/contract/data.ts";
import type { Handler } from "../../src/contract/verify.ts";

// Implementations with one fault each, as wrappers around the handler.

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

/** The faults: the ID of the first test case that finds each one, and its name. */
export const FAULTS: Readonly<Record<string, Handler>> = {
  "list.all: plants without tags": create(PLANTS.map(({ name }) => ({ name }))),
  "list.all: another order": create(PLANTS.toReversed()),
  "list.all: plants with equal names are merged": create(
    PLANTS.filter(({ tag }) => tag !== "bonsai"),
  ),
  "list.all: plants with equal names and tags are merged": create(
    PLANTS.filter(({ name, tag }, index) =>
      PLANTS.findIndex((each) => each.name === name && each.tag === tag) ===
        index
    ),
  ),
  "access.none: a user without access sees everything": create(
    PLANTS,
    (token, access) => [token, token === "none" ? "all" : access],
  ),
  "access.roses: names are ignored": create(
    PLANTS,
    (
      token,
      access,
    ) => [token, access === "all" ? access : { tags: access.tags ?? [] }],
  ),
  "access.tag-case: case-insensitive tags": withoutCase("tags"),
  "access.name-case: case-insensitive names": withoutCase("names"),
  "access.none: a list that is cached for all users": remember(),
  "every.error-body: errors without a message": errorBody((
    { message: _, ...rest },
  ) => rest),
  "every.error-body: errors with text as the number": errorBody((body) => ({
    ...body,
    error: "failed",
  })),
  "every.error-body: errors with only a message": errorBody(({ message }) =>
    message
  ),
  "access.characters: tokens are cut at the first special character":
    authorization((value) => value.replace(/[.~+/].*/, "")),
  "access.valid: a token that will expire is invalid": create(
    PLANTS,
    (token, access) => [token === "valid" ? "x" : token, access],
  ),
  "credentials.bare-token: a valid token without its scheme": authorization((
    value,
  ) => value === "all" ? "Bearer all" : value),
  "credentials.longer-scheme: any scheme that contains Bearer": authorization((
    value,
  ) => value.replace(/^\w*Bearer\w*/, "Bearer")),
  "credentials.expired: an expired token is valid": authorization((value) =>
    value.replace("expired", "all")
  ),
  "credentials.case-of-token: case-insensitive tokens": authorization((value) =>
    value.replace("ALL", "all")
  ),
  "credentials.quoted: tokens in quotes": authorization((value) =>
    value.replaceAll('"', "")
  ),
  "credentials.tab: a tab after the scheme": authorization((value) =>
    value.replace("\t", " ")
  ),
  "credentials.scheme-case: a case-sensitive scheme": authorization((value) =>
    value.replace(/^bEARER/, "Other")
  ),
  "credentials.spaces: exactly one space": authorization((value) =>
    value.replace(/  +/, " =")
  ),
  "credentials.comma: the first of two Authorization headers": authorization((
    value,
  ) => value.split(",")[0]!),
  "credentials.basic-first: the last of two Authorization headers":
    authorization((value) => value.replace(/.+, /, "")),
  "every.challenge: no challenge": header("www-authenticate", null),
  "credentials.none: a challenge that always has an error": header(
    "www-authenticate",
    'Bearer realm="plant-store", error="invalid_token"',
  ),
  "credentials.unknown: a challenge that never has an error": header(
    "www-authenticate",
    'Bearer realm="plant-store"',
  ),
  "every.challenge: another realm": change(({ headers }) => {
    const challenge = headers.get("www-authenticate");
    if (challenge === null) return;
    headers.set("www-authenticate", challenge.replace("plant-store", "x"));
  }),
  "credentials.hyphenated-scheme: a scheme that starts with Bearer and a hyphen":
    header(
      "www-authenticate",
      'Bearer realm="plant-store", error="invalid_token"',
      (_, { headers }) => /^bearer-/i.test(headers.get("authorization") ?? ""),
    ),
  "limit.two: limit is ignored": limit(() => null),
  "limit.zero: limit=0 returns everything": limit((value) =>
    value === "0" ? null : value
  ),
  "limit.int32: a lower maximum": limit((value) =>
    Number(value) > 100 ? undefined : value
  ),
  "limit.case: a case-insensitive limit": before((_, url) => ({
    url: url.href.replace("LIMIT", "limit"),
  })),
  "limit.brackets: limit[] is the same as limit": before((_, url) => ({
    url: url.href.replace(/\[\]|%5B%5D/, ""),
  })),
  "limit.rejected.minus-zero: limit is parsed with parseInt": limit((value) =>
    `${parseInt(value) || 0}`
  ),
  "limit.rejected.minus-zero: limit is parsed with Number": limit((value) =>
    `${Number(value)}`
  ),
  "limit.rejected.negative: negative limits return everything": limit((value) =>
    value.startsWith("-") ? null : value
  ),
  "limit.rejected.empty: an empty limit is no limit": limit((value) =>
    value || null
  ),
  "limit.rejected.space: spaces around limit": limit((value) => value.trim()),
  "limit.rejected.over-int32: limit can exceed 32 bits": limit((value) =>
    /^[1-9]\d{9,}$/.test(value) ? null : value
  ),
  "limit.rejected.twice: the last of two limits": before((_, url) => {
    const values = url.searchParams.getAll("limit");
    if (values.length > 1) url.searchParams.set("limit", values.at(-1)!);
    return { url: url.href };
  }),
  "limit.rejected.semicolon: a semicolon separates parameters": before((
    _,
    url,
  ) => ({ url: url.href.replace(";2", "&2") })),
  "method.POST: POST works like GET": before(({ method }) =>
    method === "POST" ? { method: "GET" } : {}
  ),
  "method.POST: 404 for other methods": reject(
    404,
    ({ method }) => !/GET|HEAD|OPTIONS/.test(method),
  ),
  "host.twice: any Host": before(({ headers }) =>
    headers.has("host") ? { headers: { host: "h" } } : {}
  ),
  "host.twice: an invalid Host returns 404": change((response, { headers }) =>
    response.status === 400 && headers.has("host")
      ? new Response(response.body, {
        status: 404,
        headers: response.headers,
      })
      : undefined
  ),
  "host.good.underscore: underscores in Host are rejected": before((
    { headers },
  ) => headers.get("host")?.includes("_") ? { headers: { host: "/" } } : {}),
  "every.content-type: text/plain": header("content-type", "text/plain"),
  "every.content-type: text/html errors": header(
    "content-type",
    "text/html",
    isError,
  ),
  "every.etag: no ETag on short lists": header(
    "etag",
    null,
    ({ headers }) => headers.get("content-length") === "2",
  ),
  "every.private: lists can be stored by shared caches": header(
    "cache-control",
    "public, max-age=60",
    isList,
  ),
  "every.vary: no Vary": header("vary", null),
  "every.no-store: errors can be stored": header(
    "cache-control",
    null,
    isError,
  ),
  "every.allow: 405 without Allow": header("allow", null, isError),
  "every.allow: Allow without HEAD": header("allow", "GET, OPTIONS"),
  "every.nosniff: no nosniff on 404": header(
    "x-content-type-options",
    null,
    ({ status }) => status === 404,
  ),
  "every.allow-origin: no CORS headers on errors": header(
    "access-control-allow-origin",
    null,
    isError,
  ),
  "every.expose-headers: scripts cannot read ETag": header(
    "access-control-expose-headers",
    "Allow",
  ),
  "every.preflight: preflights cannot be cached": header(
    "access-control-max-age",
    null,
  ),
  "every.preflight: preflights do not allow Authorization": header(
    "access-control-allow-headers",
    "*",
  ),
  "every.content-length: a wrong Content-Length": header(
    "content-length",
    "1",
    ({ status }) => status === 401,
  ),
  "every.etag: a weak ETag": etag((body) => `W/"${sum(body)}"`),
  "conditional.same: no ETags": header("etag", null),
  "conditional.same: If-None-Match is ignored": before(() => ({
    headers: { "if-none-match": null },
  })),
  "conditional.weak: strong comparison": etag(
    (body) => `"${sum(body)}"`,
    (known, etag) => known === "*" || known.split(/,\s*/).includes(etag),
  ),
  "conditional.list: lists of ETags have no effect": etag(
    (body) => `"${sum(body)}"`,
    (known, etag) => known === "*" || known.replace("W/", "") === etag,
  ),
  "conditional.star: an asterisk in If-None-Match has no effect": before((
    { headers },
  ) =>
    headers.get("if-none-match") === "*"
      ? { headers: { "if-none-match": null } }
      : {}
  ),
  "conditional.longer: substrings of ETags match": etag(
    (body) => `"${sum(body)}"`,
    (known, etag) => known === "*" || known.includes(etag.slice(1, -1)),
  ),
  "conditional.equal-length: equal ETags for lists of equal length": etag((
    body,
  ) => `"${body.length}"`),
  "conditional.other-user: the same ETag for every list": etag(() => '"1"'),
  "conditional.equal-body: an ETag that depends on the user": change(
    (_, { headers }) => {
      const user = headers.get("authorization") ?? "";
      if (!user.includes("~")) return;
      return handler(
        new Request("http://h/plants", { headers: { authorization: user } }),
      );
    },
  ),
  "conditional.list-weak: only the first weak ETag of a list": before(
    ({ headers }) => {
      const etags = headers.get("if-none-match")?.replace("W/", "");
      const known = etags?.split(/, */).filter((etag) => !/^W/.test(etag));
      return known ? { headers: { "if-none-match": known.join(", ") } } : {};
    },
  ),
  "head.list: no HEAD": reject(405, ({ method }) => method === "HEAD"),
  "head.list: HEAD without ETag": header(
    "etag",
    null,
    (_, { method }) => method === "HEAD",
  ),
  "head.limit: HEAD ignores limit": before(({ method }, url) =>
    method === "HEAD" ? { url: url.origin + url.pathname } : {}
  ),
  "options.list: OPTIONS requires a token": reject(
    401,
    ({ method, headers }) => method === "OPTIONS" && !headers.has("origin"),
  ),
  "options.missing: every OPTIONS returns 204": before(({ method }) =>
    method === "OPTIONS" ? { url: "http://h/plants" } : {}
  ),
  "preflight.missing: preflights for unknown paths return 404": reject(
    404,
    ({ method, url, headers }) =>
      method === "OPTIONS" && url.endsWith("/nope") && headers.has("origin"),
  ),
  "preflight.plants: preflights require a token": reject(
    401,
    has("access-control-request-headers"),
  ),
  "head.first: HEAD without the limit": before(({ method }, url) => {
    const isFirst = method === "HEAD" &&
      url.searchParams.get("limit") === "1";
    return isFirst ? { url: url.href.replace(/\?.*/, "") } : {};
  }),
  "path.missing.slash: a trailing slash is accepted": path((path) =>
    path.replace(/(?<=s)\/$/, "")
  ),
  "path.missing.case: case-insensitive paths": path((path) =>
    path.toLowerCase()
  ),
  "path.missing.slash: every path that starts with /plants": path((path) =>
    path.replace(/^\/plants.*/, "/plants")
  ),
  "path.missing.parameter: path parameters are removed": path((path) =>
    path.replace(/;.*/, "")
  ),
  "path.missing.double-slash: slashes are merged": path((path) =>
    path.replace(/\/+/g, "/")
  ),
  "path.missing.escaped-first: escaped slashes separate segments": path((
    path,
  ) => path.replace(/^\/%2F/i, "/")),
  "path.missing.twice-escaped: paths are decoded twice": path((path) =>
    path.replace("%25", "%")
  ),
  "path.found.escaped: escaped letters are not decoded": path((path) =>
    path.replace("%70", "/")
  ),
  "health: health checks require a token": reject(
    401,
    ({ headers, method }, { pathname }) =>
      method === "GET" && pathname === "/healthz" &&
      !headers.has("authorization"),
  ),
  "health: health checks can be stored": header(
    "cache-control",
    null,
    (_, { url }) => /healthz/.test(url),
  ),
  "health: a different health status": change((response, { url, method }) =>
    method === "GET" && /healthz/.test(url)
      ? new Response('{"ok":true}', {
        headers: {
          ...Object.fromEntries(response.headers),
          "content-length": "11",
        },
      })
      : undefined
  ),
  "ready: no readiness check": reject(
    404,
    (_, { pathname }) => pathname === "/readyz",
  ),
  "credentials.before-limit: limit before credentials": reject(
    400,
    (_, { search }) => search === "?limit=x",
  ),
  "method.after-path: methods before paths": reject(
    405,
    ({ method }) => method === "POST",
  ),
  "method.before-credentials: credentials before methods": reject(
    401,
    ({ method, headers }) =>
      method === "DELETE" && headers.has("authorization"),
  ),
  "conditional.after-credentials: If-None-Match before credentials": change((
    response,
    { headers },
  ) =>
    response.status === 401 && headers.has("if-none-match")
      ? new Response(null, { status: 304 })
      : undefined
  ),
  "host.route: paths before Host": reject(
    404,
    ({ headers }, { pathname }) => headers.has("host") && pathname === "/nope",
  ),
  "credentials.query: access_token in the query": before((_, { search }) =>
    search.includes("access_token")
      ? { headers: { authorization: "Bearer all" } }
      : {}
  ),
  "query.others: unknown parameters are rejected": reject(
    400,
    (_, { search }) => search.includes("page"),
  ),
  "ignored.accept: 406 for Accept": reject(
    406,
    ({ headers }) => headers.get("accept") === "text/html",
  ),
  "ignored.range: 206 for Range": change((response, { headers }) =>
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
  "ignored.if-match: 412 for If-Match": reject(412, has("if-match")),
  "ignored.if-modified-since: 304 for If-Modified-Since": change((
    _,
    { headers },
  ) =>
    headers.has("if-modified-since")
      ? new Response(null, { status: 304 })
      : undefined
  ),
  "ignored.content-type: 415 for Content-Type": reject(
    415,
    ({ headers }) => headers.get("content-type") === "text/csv",
  ),
  "ignored.method-override: method override": before((request) => ({
    method: request.headers.get("x-http-method-override") ?? request.method,
  })),
  "ignored.cookie: tokens in cookies": before(({ headers }) =>
    headers.has("cookie") ? { headers: { authorization: "Bearer all" } } : {}
  ),
  "ignored.forwarded: X-Original-URL": reject(404, has("x-original-url")),
};
