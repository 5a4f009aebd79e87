import { createHandler, createMemoryStore } from "../../mod.ts";
import type { Access } from "../../src/core/domain/access.ts";
import { LONG, PLANTS, USERS } from "../../src/verify/data.ts";
import type { FetchHandler } from "../../src/verify/verify.ts";

// Implementations with one fault each: the handler with other data, or with a change
// to some requests or responses. Patterns are compared with the text of a request: its
// method and target, and then a line for each header, in alphabetical order.

/** Creates the handler with other plants, or with other access for some users. */
function create(
  plants = PLANTS,
  changes: Readonly<Record<string, Access>> = {},
): FetchHandler {
  const changed = Object.entries(changes)
    .map(([user, plants]) => [user, { ...USERS[user]!, plants }]);
  const users = { ...USERS, ...Object.fromEntries(changed) };
  return createHandler(createMemoryStore({ plants, users }));
}

const handler = create();

const accessOf = (user: string) =>
  USERS[user]!.plants as Exclude<Access, "all">;

function toText({ method, url, headers }: Request): string {
  const target = url.slice(new URL(url).origin.length);
  const lines = Array.from(headers, ([name, value]) => `${name}: ${value}\n`);
  return `${method} ${target}\n${lines.join("")}`;
}

function toRequest(text: string): Request {
  const [, method = "", target, lines = ""] = /^(\S+) (.*)\n([^]*)$/.exec(
    text,
  )!;
  const headers = new Headers();
  for (const [, name, value] of lines.matchAll(/^([^:]+): (.*)$/gm)) {
    headers.append(name!, value!);
  }
  return new Request(`http://localhost${target}`, { method, headers });
}

type Replacement = string | ((found: string) => string);

/** Returns a request with another text. */
function replace(
  request: Request,
  pattern: RegExp,
  replacement: Replacement,
): Request {
  const text = toText(request);
  const changed = text.replace(pattern, replacement as string);
  // Deno's copies drop empty headers.
  return changed === text ? request : toRequest(changed);
}

/** Replaces a part of requests. */
const request =
  (pattern: RegExp, replacement: Replacement): FetchHandler => (request) =>
    handler(replace(request, pattern, replacement));

/** Changes responses. The pattern is compared with the status and the request. */
const response =
  (change: (response: Response) => unknown, pattern = /^/): FetchHandler =>
  async (request) => {
    const { status, headers, body } = await handler(request);
    const copy = new Response(body, { status, headers: new Headers(headers) });
    if (!pattern.test(`${status} ${toText(request)}`)) return copy;
    const changed = await change(copy);
    return changed instanceof Response ? changed : copy;
  };

const ERROR = /^[45]/;
const LIST = /^(?:200|304) \w+ \/plants/;
const INVALID_TOKEN = 'Bearer realm="plant-store", error="invalid_token"';

/** Changes or, with `null`, removes a header of responses. */
const header = (name: string, value: string | null, pattern?: RegExp) =>
  response(({ headers }) => {
    if (value === null) headers.delete(name);
    else if (headers.has(name)) headers.set(name, value);
  }, pattern);

/** Responds with a status and a body, by default an Error body. */
const respond = (
  status: number,
  pattern: RegExp,
  body: string | null = `{"error":${status},"message":"rejected"}`,
) =>
  response(({ headers }) => {
    headers.set("content-length", `${body?.length ?? 0}`);
    return new Response(body, { status, headers });
  }, pattern);

/** Replaces a part of the bodies of some responses. */
const body = (pattern: RegExp, replacement: string, applies = LIST) =>
  response(async (response) => {
    const { status, headers } = response;
    headers.delete("content-length");
    const text = (await response.text()).replace(pattern, replacement);
    return new Response(text === "" ? null : text, { status, headers });
  }, applies);

/** Replaces a part of the bodies of errors. */
const error = (pattern: RegExp, replacement: string) =>
  body(pattern, replacement, ERROR);

/** Lists the plants at another form of the path, without checking the credentials. */
const unguarded = (path: string) => (each: Request) =>
  handler(
    new URL(each.url).pathname === path
      ? toRequest(`GET /plants\nauthorization: Bearer test-all\n`)
      : each,
  );

/** Remembers the user of the last request, as if no others were in progress. */
function share(): FetchHandler {
  let current = "";
  return async (request) => {
    current = request.headers.get("authorization") ?? "";
    await Promise.resolve();
    return await handler(
      replace(request, /authorization: .+/, `authorization: ${current}`),
    );
  };
}

/** Compares the members of a list with an ETag, without the prefixes of weak ETags. */
const members =
  (equals: (member: string, etag: string) => boolean) =>
  (known: string, etag: string) =>
    known.split(/,\s*/).some((each) =>
      equals(each.replace("W/", ""), etag.replace("W/", ""))
    );

/** Replaces the ETag, and compares it with If-None-Match. */
const etag = (
  toEtag: (body: string) => string,
  matches = members((member, etag) => member === etag),
): FetchHandler =>
async (request) => {
  const plain = replace(request, /^if-none-match.*\n/m, "");
  const response = await handler(plain);
  if (response.status !== 200 || !response.headers.has("etag")) return response;
  // A response to HEAD has no body, from which the ETag is computed.
  const get = await handler(replace(plain, /^HEAD/, "GET"));
  const etag = toEtag(await get.text());
  const headers = new Headers(response.headers);
  headers.set("etag", etag);
  const known = request.headers.get("if-none-match") ?? "";
  if (known !== "*" && (known === "" || !matches(known, etag))) {
    return new Response(response.body, { headers });
  }
  headers.delete("content-length");
  return new Response(null, { status: 304, headers });
};

const digest = (text: string) =>
  `"${
    [...text].reduce((sum, each) => (sum * 31 + each.codePointAt(0)!) % 1e9, 7)
  }"`;

/** Other statuses that docs/http-api.md allows, by the status and the request. */
const OTHER_STATUSES: readonly (readonly [RegExp, number])[] = [
  [/ OPTIONS /, 200],
  [/^401[^]*authorization: Bearer\n/, 400],
  [/^400[^]*host: a b\n/, 200],
  [/ GET \/%70lants\n/, 301],
  [/ GET \/\/plants\n/, 307],
];

/** Handlers that differ from this implementation, as docs/http-api.md allows. */
export const VARIANTS: Readonly<Record<string, FetchHandler>> = {
  "a correct handler": handler,
  "weak ETags, and no Content-Length": async (request) => {
    const response = await etag((body) => `W/${digest(body)}`)(request);
    response.headers.delete("content-length");
    return response;
  },
  "other properties and headers": response(async (response) => {
    const { status, headers } = response;
    headers.delete("content-length");
    headers.set("content-type", 'application/json; charset="UTF-8"');
    headers.append("vary", "Origin");
    headers.append("cache-control", "must-revalidate");
    if (headers.has("retry-after")) headers.set("retry-after", "30");
    const text = (await response.text()).replaceAll('{"', '{ "id" : 1 ,\n "');
    return new Response(text === "" ? null : text, { status, headers });
  }),
  "headers only where clients need them": async (request) => {
    const origin = request.headers.get("origin");
    const { status, body, headers } = await handler(request);
    const copy = new Headers(headers);
    copy.delete("access-control-allow-methods");
    copy.delete("access-control-max-age");
    copy.delete("access-control-expose-headers");
    if (origin) {
      copy.set("access-control-allow-origin", origin);
      copy.append("vary", "Origin");
      copy.set("access-control-expose-headers", "*");
    } else copy.delete("access-control-allow-origin");
    if (!body) copy.delete("x-content-type-options");
    if (status === 401) {
      const challenge = copy.get("www-authenticate")!;
      copy.set("www-authenticate", challenge.replace(/realm="[^"]*",?/, ""));
    }
    return new Response(body, { status, headers: copy });
  },
  "other statuses": async (request) => {
    const found = await handler(request);
    const text = `${found.status} ${toText(request)}`;
    const other = OTHER_STATUSES.find(([each]) => each.test(text));
    if (!other) return found;
    const [pattern, status] = other;
    return respond(status, pattern, status < 400 ? null : undefined)(request);
  },
  "credentials before paths and methods": (request) => {
    const isPublic = request.method === "OPTIONS" ||
      /\/\w+z(?:\?|$)/.test(request.url);
    const isKnown = isPublic || request.headers.has("authorization");
    const method = request.method === "HEAD" ? "HEAD" : "GET";
    return handler(isKnown ? request : toRequest(`${method} /plants\n`));
  },
};

/** The faults: the ID of the first test case in its group that fails, and a name. */
// deno-fmt-ignore: one or two lines for each fault
export const FAULTS: Readonly<Record<string, FetchHandler>> = {
  "list.all: plants without tags": create(PLANTS.map(({ name }) => ({ name }))),
  "list.all: another order": create(PLANTS.toReversed()),
  "list.all: equal plants are merged": create(PLANTS.slice(0, -1)),
  "access.none: without access, all plants": create(PLANTS, { none: "all" }),
  "access.roses: names are ignored": create(PLANTS, { roses: {} }),
  "access.tag-case: case-insensitive tags":
    create(PLANTS, { "tag-case": { tags: ["fern", "vine"] } }),
  "access.name-case: case-insensitive names":
    create(PLANTS, { "name-case": { names: ["Rosa canina"] } }),
  "access.name-case: trimmed names": create(PLANTS, {
    "name-case": { names: accessOf("name-case").names!.map((each) => each.trim()) },
  }),
  "access.concurrent: a current user that all requests share": share(),
  "access.part: parts of tags": create(PLANTS, { part: { tags: ["fern"] } }),
  "access.longer: tags that start with the tag":
    create(PLANTS, { longer: { tags: ["fern"] } }),
  "access.swapped: names that are tags":
    create(PLANTS, { swapped: { tags: ["fern"] } }),
  "access.mixed: only the first name":
    create(PLANTS, { mixed: { names: ["Rosa alba"], tags: ["flower", "vine"] } }),
  "access.mixed: only the first tag": create(PLANTS, {
    mixed: { ...accessOf("mixed"), tags: accessOf("mixed").tags!.slice(0, 1) },
  }),
  "access.mixed: tags before names":
    body(/^\[(.*"}),(.*"flower"}),/, "[$2,$1,", /test-mixed/),
  "access.renewed: only the first token": request(/ test-renewed\n/, " x\n"),
  "list.all: an empty tag": body(/("Equisetum hyemale")/, '$1,"tag":""'),
  "list.all: null as a tag": body(/("Equisetum hyemale")/, '$1,"tag":null'),
  "list.all: a byte order mark": body(/^\[/, "\ufeff["),
  "every.error-body: errors without a message": error(/,"message".*/, "}"),
  "every.error-body: a value that is nested too deeply": error(
    /:\d+/,
    `:${"[".repeat(9_000)}${"]".repeat(9_000)}`,
  ),
  "every.error-body: text as the number": error(/:\d+/, ':"failed"'),
  "every.error-body: a value that is not escaped":
    body(/message":"[^]*"/, 'message":"\\"', /limit=%5C/),
  "every.error-body: only a message": error(/.*"message":(.*)}/, "$1"),

  "access.characters: tokens that end at the first special character":
    request(/(Bearer .*?)[.~+/].*/, "$1"),
  "access.valid: no token that will expire": request(/ test-valid\n/, " x\n"),
  "access.valid-time: no token with a time": request(/ test-valid-time/, " x"),
  "credentials.expired-today: valid until the end of the day":
    request(/test-today/, "test-all"),
  "credentials.expired-time: no times":
    request(/test-expired-time/, "test-all"),
  "credentials.expired-offset: offsets are ignored":
    request(/test-expired-offset/, "test-all"),
  "credentials.user-name: names as tokens":
    request(/Bearer all/, "Bearer test-all"),
  "credentials.part: a part of a token": request(/test-al\n/, "test-all\n"),
  "credentials.longer: more than a token": request(/test-alll/, "test-all"),
  "credentials.padded: padded tokens": request(/test-all=/, "test-all"),
  "credentials.basic-password: a token as the password":
    request(/Basic [\w=]{10,}/, "Bearer test-all"),
  "credentials.bare-token: no scheme":
    request(/: test-all\n/, ": Bearer test-all\n"),
  "credentials.no-space: an optional space":
    request(/Bearertest/, "Bearer test"),
  "credentials.longer-scheme: a scheme that contains Bearer":
    request(/: \w*Bearer\w*/, ": Bearer"),
  "credentials.expired: an expired token":
    request(/test-expired\n/, "test-all\n"),
  "credentials.case-of-token: case-insensitive tokens":
    request(/TEST-ALL/, "test-all"),
  "credentials.scheme-case: case-sensitive": request(/bEARER/, "Other"),
  "access.long: a limit": request(/ test-long-x+/, " x"),
  "credentials.long-end: only 72 characters": 
    request(
      /(?<=Bearer )\S{72,}/,
      (token) => token.slice(0, 72) === LONG.slice(0, 72) ? LONG : token,
    ),
  "credentials.unknown-before-limit: limit before the user":
    respond(400, /limit=x\n[^]*Bearer nobody\n/),
  "credentials.long: a limit": respond(400, /Bearer x{300}\n/),
  "credentials.non-ascii: a failure": respond(500, /Bearer \xe9\n/),
  "every.challenge: no challenge": header("www-authenticate", null),
  "every.challenge: no comma":
    header("www-authenticate", 'Bearer realm="plant-store" error="invalid_token"'),
  "credentials.none: a challenge that always has an error":
    header("www-authenticate", INVALID_TOKEN),
  "credentials.unknown: a challenge that never has an error":
    header("www-authenticate", 'Bearer realm="plant-store"'),

  "limit.two: limit is ignored": request(/limit=[^&\n]*/, ""),
  "limit.zero: limit=0 returns everything": request(/limit=0\n/, "\n"),
  "access.none-limited: null as the empty list":
    body(/^\[\]$/, "null", /limit=0\n[^]* test-none\n/),
  "limit.more: one digit": request(/limit=10\n/, "limit=x\n"),
  "limit.int32: a lower maximum": request(/limit=2147483647/, "limit=x"),
  "limit.rejected.fraction: limit is parsed with parseInt":
    request(/(?<=limit=)-?\d[^&%\n]*/, (limit) => `${parseInt(limit) || 0}`),
  "limit.rejected.negative: no limit": request(/limit=-\d+/, ""),
  "limit.rejected.empty: an empty limit is no limit": request(/limit=\n/, "\n"),
  "limit.rejected.over-int32: a higher maximum": request(/=2147483648/, "=1"),
  "limit.rejected.twice: the last of two limits": request(/limit=1&/, ""),
  "limit.rejected.word: Infinity": request(/limit=Infinity/, "limit=9"),
  "limit.rejected.over-uint32: 32 bits": request(/limit=4294967297/, "limit=1"),
  "limit.rejected.huge: no maximum": request(/limit=9{20}/, "limit=9"),
  "limit.rejected.same-twice: the same limit twice": request(/limit=2&page=1&/, ""),
  "limit.rejected.escaped: no limit": request(/limit=%5C\S*/, ""),
  "limit.rejected.superscript: any digit of Unicode":
    request(/limit=%C2%B2/, "limit=2"),
  "limit.rejected.semicolon: ignores what it cannot parse":
    request(/limit=2;x=1/, ""),
  "limit.rejected.bad-escape: ignores what it cannot decode":
    request(/limit=%zz/, ""),
  "limit.rejected.superscript: a failure": respond(500, /limit=%C2%B2/),
  "limit.escaped: no decoding": request(/limit=%32/, "limit=x"),
  "limit.escaped-name: no decoding": request(/%6Cimit/, "x"),
  "limit.upper-case: case-insensitive": request(/LIMIT=/, "limit="),
  "limit.semicolon: a separator": request(/;limit=/, "&limit="),

  "method.POST: POST works like GET": request(/^POST/, "GET"),
  "head.missing: 405": respond(405, / HEAD \/nope/),
  "head.ready: no HEAD": respond(405, / HEAD \/readyz/),
  "head.health: requires a known token": respond(401, / \/healthz[^]* test-failing\n/),
  "host.route: the URL of the request is built from the Host":
    request(/^GET \/nope(\n[^]*)host: h\/plants.*\n/, "GET /plants$1"),

  "every.content-type: text/plain": header("content-type", "text/plain"),
  "every.content-type: HTML errors": header("content-type", "text/html", ERROR),
  "every.content-type: HTML errors with an If-None-Match":
    header("content-type", "text/html", /^4[^]*if-none-match/),
  "every.etag: no ETag on short lists":
    header("etag", null, / Bearer test-none\n/),
  "every.private: lists can be stored by shared caches":
    header("cache-control", "public, max-age=60", LIST),
  "every.private: public contradicts private":
    header("cache-control", "public, private, no-cache", LIST),
  "every.private: an asterisk": header("cache-control", "*", LIST),
  "every.no-store: an asterisk": header("cache-control", "*", ERROR),
  "every.allow: an asterisk": header("allow", "*"),
  "every.vary: no Vary": header("vary", null),
  "every.no-store: errors are stored": header("cache-control", null, ERROR),
  "every.retry-after: 503 without Retry-After": header("retry-after", null),
  "every.retry-after: a word": header("retry-after", "soon"),
  "failing.list: a limit prevents the failure":
    request(/limit=1\n([^]*)-failing/, "limit=1\n$1-all"),
  "failing.head: only GET fails": request(/^(HEAD[^]*)-failing/, "$1-all"),
  "every.allow: 405 without Allow": header("allow", null, ERROR),
  "every.allow: Allow without HEAD": header("allow", "GET, OPTIONS"),
  "every.nosniff: not on 404": header("x-content-type-options", null, /^404/),
  "every.allow-origin: another origin":
    header("access-control-allow-origin", "https://b.example"),
  "every.allow-origin: no CORS headers for the origin null":
    header("access-control-allow-origin", null, /origin: null/),
  "every.allow-origin: no Vary":
    header("access-control-allow-origin", "https://a.example", /origin: https:\/\/a\.example/),
  "every.allow-origin: no CORS headers on errors":
    header("access-control-allow-origin", null, ERROR),
  "every.expose-headers: scripts cannot read ETag":
    header("access-control-expose-headers", "Allow"),
  "preflight.plants: preflights do not allow Authorization":
    header("access-control-allow-headers", "*"),
  "preflight.plants: preflights do not allow If-None-Match":
    header("access-control-allow-headers", "Authorization"),
  "every.content-length: a wrong length": header("content-length", "1", /^401/),

  "conditional.same: no ETags": header("etag", null),
  "conditional.same: If-None-Match is ignored": request(/if-none-match/, "x"),
  "conditional.weak: strong comparison":
    etag(digest, (known, etag) => known.split(/,\s*/).includes(etag)),
  "conditional.list: lists of ETags have no effect":
    etag(digest, (known, etag) => known.replace("W/", "") === etag),
  "conditional.star: no effect": request(/if-none-match: \*/, "x: "),
  "conditional.longer: substrings of ETags match":
    etag(digest, (known, etag) => known.includes(etag.slice(1, -1))),
  "conditional.shorter: beginnings of ETags match": etag(digest, members(
    (member, etag) => etag.startsWith(member.slice(0, -1)),
  )),
  "conditional.equal-length: the length": etag(({ length }) => `"${length}"`),
  "conditional.other-user: the same ETag for every list": etag(() => '"1"'),
  "conditional.equal-start: the first plant and the length":
    etag((body) => digest(body.slice(0, 40) + body.split("{").length)),
  "conditional.other-limit: the start of the body":
    etag((body) => digest(body.slice(0, 64))),
  "conditional.other: any asterisk": request(/if-none-match: .*\*.*/, "if-none-match: *"),
  "conditional.empty: no ETag with 304 for an empty list":
    header("etag", null, /^304 \w+ \S*limit=0\n/),
  "conditional.list: only the first weak ETag of a list":
    request(/(?<=if-none-match: .*W\/.+)W\/"[^"]*"/g, '"a"'),

  "conditional.letter-case: case-insensitive": etag(
    (body) => digest(body).replace('"', '"a'),
    members((member, etag) => member.toLowerCase() === etag),
  ),

  "head.list: no HEAD": respond(405, / HEAD /),
  "head.list: HEAD without ETag": header("etag", null, / HEAD /),
  "head.list: HEAD ignores the query": request(/^(HEAD [^?\n]*).*/, "$1"),
  "head.limit: HEAD does not check the limit":
    request(/^(HEAD .*)\?limit=x/, "$1"),
  "preflight.missing: preflights for unknown paths return 404":
    respond(404, / OPTIONS \/nope\n[^]*origin/),
  "preflight.missing: only GET": respond(405, /access-control-request-method: PUT/),
  "preflight.health: not for /healthz": respond(405, / OPTIONS \/healthz\n/),
  "preflight.plants: preflights require a token":
    respond(401, /access-control-request-headers/),

  "path.missing.slash: a trailing slash is accepted": request(/s\/\n/, "s\n"),
  "path.missing.case: case-insensitive":
    request(/ \/[^?\n]*/, (path) => path.toLowerCase()),
  "path.missing.parameter: removed parameters": request(/^([^?\n]*);.*/, "$1"),
  "path.guarded.escaped: escaped letters": unguarded("/%70lants"),
  "path.guarded.double-slash: slashes are merged": unguarded("//plants"),
  "path.missing.twice-escaped: paths are decoded twice": request(/%25/, "%"),
  "path.missing.singular: another name": request(/ \/plant\n/, " /plants\n"),
  "path.missing.dot: dots at the end": request(/ \/plants\.\n/, " /plants\n"),
  "path.missing.plus: plus signs are removed": request(/ \/pl\+ants\n/, " /plants\n"),
  "path.missing.asterisk: a pattern": request(/ \/\*\n/, " /plants\n"),
  "path.guarded.upper-case: case-insensitive": unguarded("/PLANTS"),

  "health.unknown-token: checks a token if there is one":
    respond(401, / \/healthz[^]*authorization: Bearer nobody/),
  "ready.unknown-token: checks a token if there is one":
    respond(401, / \/readyz[^]*authorization: Bearer nobody/),
  "health: can be stored": header("cache-control", null, /healthz/),
  "health: a different status": respond(200, / GET \/healthz/, '{"ok":true}'),
  "ready: no readiness check": respond(404, /readyz/),
  "credentials.before-limit: limit first": respond(400, /\?limit=x\n/),
  "conditional.after-credentials: If-None-Match before credentials":
    respond(304, /^401[^]*if-none-match/, null),
  "credentials.query: access_token in the query":
    request(/access_token.*\n/, "\nauthorization: Bearer test-all\n"),

  "query.others: unknown parameters are rejected": respond(400, /\?.*page/),
  "query.names: decodes before it splits": request(/%26limit/, "&limit"),
  ...Object.fromEntries(["Limit", "xlimit", "limitx", "limit%5B%5D", "size", "per_page"].map(
    (name) => [`query.names: ${name}`, request(new RegExp(`&${name}=`), "&limit=")],
  )),
  "query.mixed: only a limit at the end": request(/limit=1(?=&sort)/, ""),
  "ignored.content-type: 415 for Content-Type": respond(415, /^200[^]*content-type/),
  "ignored.method-override: method override":
    request(/^GET([^]*method-override: (\w+))/, "$2$1"),
  "ignored.content-type: an unusual Cookie": respond(400, /cookie: a\n/),
  "ignored.cookie: another header as a token":
    request(/^x-api-key: /m, "authorization: Bearer "),
  "ignored.cookie: a session":
    request(/^cookie: .*session=/m, "authorization: Bearer "),
  "ignored.cookie: as a token":
    request(/^cookie: .*token.*/m, "authorization: Bearer test-all"),
  "ignored.forwarded: X-Original-URL": respond(404, /x-original-url/),
};
