import { createHandler, createMemoryStore } from "../../mod.ts";
import type { Access } from "../../src/core/domain/access.ts";
import { LONG, PLANTS, USERS } from "../../src/verify/data.ts";
import type { FetchHandler } from "../../src/verify/verify.ts";

// Implementations with one fault each: the handler with other data, or with a change
// to some requests or responses. faults_test.ts adds wrong statuses. Patterns are compared with the text of a request: its
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
  "credentials.long-end: only 72 characters": request(
    /(?<=Bearer )\S{72,}/,
    (token) => token.slice(0, 72) === LONG.slice(0, 72) ? LONG : token,
  ),
  "every.challenge: no challenge": header("www-authenticate", null),
  "every.challenge: no comma":
    header("www-authenticate", 'Bearer realm="plant-store" error="invalid_token"'),
  "credentials.none: a challenge that always has an error":
    header("www-authenticate", INVALID_TOKEN),
  "credentials.unknown: a challenge that never has an error":
    header("www-authenticate", 'Bearer realm="plant-store"'),

  "limit.two: limit is ignored": request(/limit=[^&\n]*/, ""),
  "access.none-limited: null as the empty list":
    body(/^\[\]$/, "null", /limit=0\n[^]* test-none\n/),
  "limit.rejected.fraction: limit is parsed with parseInt":
    request(/(?<=limit=)-?\d[^&%\n]*/, (limit) => `${parseInt(limit) || 0}`),
  "limit.upper-case: case-insensitive": request(/LIMIT=/, "limit="),
  "limit.semicolon: a separator": request(/;limit=/, "&limit="),

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
  "conditional.weak: strong comparison":
    etag(digest, (known, etag) => known.split(/,\s*/).includes(etag)),
  "conditional.list: lists of ETags have no effect":
    etag(digest, (known, etag) => known.replace("W/", "") === etag),
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

  "head.list: HEAD without ETag": header("etag", null, / HEAD /),
  "head.list: HEAD ignores the query": request(/^(HEAD [^?\n]*).*/, "$1"),

  "health: can be stored": header("cache-control", null, /healthz/),
  "health: a different status": respond(200, / GET \/healthz/, '{"ok":true}'),

  "query.names: decodes before it splits": request(/%26limit/, "&limit"),
  ...Object.fromEntries(["Limit", "xlimit", "limitx", "limit%5B%5D", "size", "per_page"].map(
    (name) => [`query.names: ${name}`, request(new RegExp(`&${name}=`), "&limit=")],
  )),
  "ignored.method-override: method override":
    request(/^GET([^]*method-override: (\w+))/, "$2$1"),
  "ignored.cookie: another header as a token":
    request(/^x-api-key: /m, "authorization: Bearer "),
  "ignored.cookie: a session":
    request(/^cookie: .*session=/m, "authorization: Bearer "),
  "ignored.cookie: as a token":
    request(/^cookie: .*token.*/m, "authorization: Bearer test-all"),
  "ignored.forwarded: X-Original-URL": respond(404, /x-original-url/),
};
