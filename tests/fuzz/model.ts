import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { METHODS } from "node:http";
import { isIPv6 } from "node:net";
import type { Access, Plant } from "../../mod.ts";
import type { CaseResponse } from "../../src/verify/cases.ts";
import type { WireRequest } from "../contract/wire.ts";

// The correct responses to any request, by docs/http-api.md and the RFCs, and on
// Node.js to malformed ones. The model shares no code with the service.

type Headers = Readonly<Record<string, string>>;

/** The service under test. */
export interface Service {
  readonly basePath: string;
  readonly cors: "*" | "off" | readonly string[];
  /** The headers and bodies of what the service has in addition to the plants, by path. */
  readonly documents: ReadonlyMap<string, readonly [Headers, RegExp]>;
  readonly plants: readonly Plant[];
  /** What users see, by their tokens. */
  readonly users: ReadonlyMap<string, Access>;
  /** How the store fails, if it does: `unavailable`, or in another way. */
  readonly failure?: string | undefined;
  /** What serves it: by default the command line, without request IDs. */
  readonly host?: Host | undefined;
  /** Whether lists take time. */
  readonly isSlow?: boolean;
}

/** `serve()`, or a listener in a server for Node.js that rejects requests itself. */
export type Host = "serve" | "http" | "express";

/** A correct response. */
export interface Expected {
  readonly status: number;
  /** The headers that depend on the request. */
  readonly headers: Headers;
  /** The body in response to GET. */
  readonly content: string | RegExp;
  /** Whether the server closes the connection; undefined if it can. */
  readonly closes: boolean | undefined;
  /** Whether Node.js responds, and nothing else is known about the response. */
  readonly isOwn?: true;
}

/** Any value of a header. */
const ANY = "any";

const ALLOW = { "allow": "GET, HEAD, OPTIONS" };
const JSON_TYPE = { "content-type": "application/json" };
const NO_STORE = { ...JSON_TYPE, "cache-control": "no-store" };
const NO_CACHE = { ...JSON_TYPE, "cache-control": "no-cache" };
const HTML = { ...NO_CACHE, "content-type": "text/html; charset=utf-8" };
const PREFLIGHT = {
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-allow-headers": "Authorization, *",
  "access-control-max-age": "600",
};

/** What the command line serves in addition to the plants. */
export const DOCUMENTS: Service["documents"] = new Map([
  ["/healthz", [NO_STORE, /^\{"status":"ok"\}$/]],
  ["/readyz", [NO_STORE, /^\{"status":"ok"(?:,"\w+":"[^"]+Z")*\}$/]],
  ["/openapi.json", [NO_CACHE, /^\{\s+"openapi": "3\.1\.0"/]],
  ["/", [HTML, /^<!doctype html>/i]],
]);

/** Whether Node.js itself can respond, or close a connection. */
export function isEmbedded({ host }: Service): boolean {
  return host === "http" || host === "express";
}

/** The responses of Node.js itself, also to requests before invalid ones. */
const OWN = [100, 400, 408, 417, 431].map((status): Expected => (
  { status, headers: {}, content: "", closes: undefined, isOwn: true }
));

/** Returns all correct responses to a request, at least one. */
export function expect(
  request: WireRequest,
  service: Service,
): readonly Expected[] {
  const expected = expectFrom(request, service);
  return isEmbedded(service) ? [...expected, ...OWN] : expected;
}

function expectFrom(
  request: WireRequest,
  service: Service,
): readonly Expected[] {
  const head = readHead(request);
  const id = head.get("x-request-id");
  const common = commonHeaders(service, head.get("origin"), id);
  // If the server cannot read a request, no header depends on the origin.
  const unseen = commonHeaders(service, "");
  const { vary: _, ...unread } = unseen;
  const reject = (status: number, headers: Headers = {}) =>
    [common, unread, unseen].map((common) => ({
      ...fail(status, { ...common, ...headers }),
      closes: true,
    }));
  const text = request.lines.join("\r\n");
  // Node.js rejects unknown methods itself.
  const isUnknown = !METHODS.includes(head.method);
  const others = head.isDubious || isUnknown ? reject(400) : [];
  const isLarge = text.length > 15_900 || text.split("\n").length > 200;
  // Node.js drops headers after the 200th one, such as the request ID.
  if (isLarge) {
    others.push(...reject(431), ...reject(431, { "x-request-id": ANY }));
  }
  if (/^\s*CONNECT /.test(text)) {
    const expects = head.all("expect").length > 0;
    const rejections = [...reject(405, ALLOW), ...reject(400), ...others];
    return expects ? [...rejections, ...reject(417)] : rejections;
  }
  if (isMalformed(head)) return [...reject(400), ...others];
  // Node.js does not count all separators.
  if (text.replace(/[\s:]/g, "").length > 17_000) return others;

  const hosts = head.all("host");
  const isModern = head.version === "1.1";
  if (hosts.length > 1 || hosts.length === 0 && isModern) {
    return [...reject(400), ...others];
  }
  const hasHost = hosts.every(isValidHost);
  const waits = isModern && /^100-continue$/i.test(head.get("expect"));
  if (isModern && head.all("expect").length > 0 && !waits) {
    return [...hasHost ? reject(417) : reject(400), ...others];
  }
  const response = hasHost
    ? expectValid(head, service, common)
    : fail(400, common);
  // A host decides itself, and a server can close because of the next request.
  const mustClose = waits || closesConnection(head);
  const closes = mustClose && !isEmbedded(service) || undefined;
  return [{ ...response, closes }, ...waits ? reject(417) : [], ...others];
}

const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;
const START = /^(\S+) +([\x21-\x7e\x80-\xff]+) +HTTP\/(1\.[01])$/;
const HEADER = /^([^:]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;

/** Reads the head of a request (RFC 9112 sections 2 to 5). */
function readHead({ lines }: WireRequest) {
  const text = lines.join("\r\n");
  const [start = "", ...others] = text.replace(/^[\r\n]+/, "")
    .replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const [, method = "", target = "", version = ""] = START.exec(start) ?? [];
  let isMalformed = !NAME.test(method);
  const headers = new Map<string, string[]>();
  for (const line of others) {
    const [, name = "", value = ""] = HEADER.exec(line) ?? [];
    if (!NAME.test(name)) isMalformed = true;
    const values = headers.get(name.toLowerCase()) ?? [];
    headers.set(name.toLowerCase(), [...values, value.replace(/[ \t]+$/, "")]);
  }
  return {
    method,
    target,
    version,
    isMalformed,
    // Servers can accept or reject it, such as a line that ends in LF.
    isDubious: /^[\r\n]|[^\r]\n|\n[ \t]|^\S+ {2}| {2}HTTP/.test(text) ||
      /[\x80-\xff]|^[^/].*[#\\"<>^`{|}]/.test(target),
    all: (name: string): readonly string[] => headers.get(name) ?? [],
    get: (name: string): string => headers.get(name)?.join(", ") ?? "",
  };
}

type Head = ReturnType<typeof readHead>;

/** Whether a server has to reject a request (RFC 9112 sections 3, 6.1, and 6.3). */
function isMalformed(head: Head): boolean {
  const lengths = head.all("content-length");
  const codings = head.all("transfer-encoding");
  return head.isMalformed ||
    !/^(?:[/*]|[a-z]+:\/\/)/i.test(head.target) ||
    lengths.length > 1 || lengths.some((each) => !/^\d{1,18}$/.test(each)) ||
    codings.length > 0 &&
      (lengths.length > 0 || codings.join().toLowerCase() !== "chunked");
}

/** Whether the server closes the connection (RFC 9112 section 9.3). */
function closesConnection(head: Head): boolean {
  const options = head.get("connection").toLowerCase().split(/[ \t]*,[ \t]*/);
  // After an upgrade that is declined, the client can continue in another protocol.
  return head.version === "1.0" || options.includes("close") ||
    head.all("upgrade").length > 0 || head.get("host").includes(", ") ||
    head.all("content-length").length > 0 ||
    head.all("transfer-encoding").length > 0;
}

/** Whether a host is `uri-host [ ":" port ]` (RFC 9110 section 7.2). */
function isValidHost(host: string): boolean {
  const [, name = "", port = ""] = /^(\[.*\]|[^:]*)(?::(.*))?$/.exec(host) ??
    [];
  if (/\D/.test(port)) return false;
  if (name.startsWith("[")) {
    return isIPv6(name.slice(1, -1)) && !name.includes("%");
  }
  return name.length <= 255 &&
    /^(?:[\w\-.~!$&'()*+,;=]|%[0-9a-f]{2})+$/i.test(name);
}

/** Returns the response to a request that the server can read, in the order of section 10. */
function expectValid(head: Head, service: Service, common: Headers): Expected {
  const { method, target } = head;
  const asked = head.all("access-control-request-method");
  if (method === "OPTIONS" && head.all("origin").length * asked.length > 0) {
    const isAllowed = "access-control-allow-origin" in common;
    return respond(204, { ...common, ...isAllowed && PREFLIGHT });
  }
  const relative = target.replace(/^https?:\/\/[^/?#\\]+/i, "");
  if (target.length > 8_192 && !isEmbedded(service)) return fail(414, common);
  const isPath = /^(?:[/?#\\]|$)/.test(relative);
  const url = new URL(`http://x${isPath ? relative : "/invalid"}`);
  const path = url.pathname.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(parseInt(code.slice(1), 16));
    return /[\w\-.~]/.test(character) ? character : code;
  });
  const { basePath } = service;
  const document = [...service.documents]
    .find(([own]) => path === basePath + own)?.[1];
  const isKnown = path === `${basePath}/plants` || document !== undefined;
  if (method === "OPTIONS" && (isKnown || target === "*")) {
    return respond(204, { ...common, ...ALLOW });
  }
  if (!isKnown) return fail(404, common);
  if (method !== "GET" && method !== "HEAD") {
    return fail(405, { ...common, ...ALLOW });
  }
  if (!document) return expectPlants(head, url, service, common);
  if (service.failure && path.endsWith("/readyz")) return unavailable(common);
  const [headers, content] = document;
  return conditional(head, { ...common, ...headers }, content);
}

function expectPlants(
  head: Head,
  { searchParams }: URL,
  { plants, users, failure }: Service,
  common: Headers,
): Expected {
  const credentials = head.get("authorization");
  const isBearer = /^bearer(?! *$|[!#$%&'*+\-.^_`|~\w])/i.test(credentials);
  const token = /^bearer +([\w\-.~+/]+=*)$/i.exec(credentials)?.[1] ?? "";
  const access = users.get(token);
  if (access === undefined) {
    const error = isBearer ? ', error="invalid_token"' : "";
    const challenge = `Bearer realm="plant-store"${error}`;
    return fail(401, { ...common, "www-authenticate": challenge });
  }
  const limits = searchParams.getAll("limit");
  const [limit = "2147483647"] = limits;
  const isInteger = /^(?:0|[1-9][0-9]*)$/.test(limit) &&
    BigInt(limit) <= 2147483647n;
  if (limits.length > 1 || !isInteger) {
    const rule = isInteger || limits.length > 1
      ? "appear only once"
      : "be an integer from 0 to 2147483647 without leading zeros";
    const message = `limit must ${rule}, got ${quote(limits.join(", "))}`;
    const content = JSON.stringify({ error: 400, message });
    return respond(400, { ...common, ...NO_STORE }, content);
  }
  if (failure === "unavailable") return unavailable(common);
  if (failure) return fail(400, common, 500);
  const visible = plants.filter((plant) => canSee(access, plant))
    .map(({ name, tag }) => ({ name, tag })).slice(0, Number(limit));
  const content = JSON.stringify(visible);
  const vary = "vary" in common ? "Authorization, Origin" : "Authorization";
  const headers = { "cache-control": "private, no-cache", vary, ...JSON_TYPE };
  const etag = etagOf(content);
  return conditional(head, { ...common, ...headers, etag }, content);
}

function canSee(access: Access, { name, tag }: Plant): boolean {
  if (access === "all") return true;
  const { names = [], tags = [] } = access;
  return names.includes(name) || tag !== undefined && tags.includes(tag);
}

/** Quotes at most 64 characters and escapes control characters and line ends. */
function quote(text: string): string {
  const characters = [...text];
  const escaped = JSON.stringify(characters.slice(0, 64).join("")).replace(
    /[\x7f-\x9f\u2028\u2029]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return characters.length > 64 ? `${escaped}...` : escaped;
}

/** Returns 304 if the client has the response (RFC 9110 section 13.1.2). */
function conditional(
  head: Head,
  headers: Headers,
  content: string | RegExp,
): Expected {
  const known = head.get("if-none-match");
  const etags = known.split(",").map((etag) => etag.trim().replace(/^W\//, ""));
  const matches = known === "*" || etags.includes(headers["etag"] ?? "none");
  if (!matches || headers["cache-control"] === "no-store") {
    return respond(200, headers, content);
  }
  const { "content-type": _, ...kept } = headers;
  return respond(304, kept, content);
}

function etagOf(body: string): string {
  const digest = createHash("sha256").update(body).digest("hex");
  return `"${digest.slice(0, 32)}"`;
}

function fail(status: number, headers: Headers, error = status): Expected {
  const content = new RegExp(`^\\{"error":${error},"message":"[^"]{8,}"\\}$`);
  return respond(status, { ...headers, ...NO_STORE }, content);
}

function unavailable(headers: Headers): Expected {
  return fail(503, { ...headers, "retry-after": "1" });
}

function respond(
  status: number,
  headers: Headers,
  content: string | RegExp = "",
): Expected {
  return { status, headers, content, closes: false };
}

/** Returns the headers of every response to an origin and, if it has an ID, to a request. */
function commonHeaders(
  { cors, host }: Service,
  origin: string,
  id?: string,
): Headers {
  const isOpen = cors === "*" || cors === "off";
  const allowed = isOpen ? cors : cors.includes(origin) ? origin : "off";
  const exposed = "ETag, WWW-Authenticate, Allow, Retry-After";
  return {
    "x-content-type-options": "nosniff",
    ...host && id !== undefined &&
      { "x-request-id": /^[\w.-]{1,64}$/.test(id) ? id : ANY },
    ...!isOpen && { "vary": "Origin" },
    ...allowed !== "off" && {
      "access-control-allow-origin": allowed,
      "access-control-expose-headers": host
        ? `${exposed}, X-Request-Id`
        : exposed,
    },
  };
}

/** Headers whose value the model does not know, and those that hosts add. */
const IGNORED = new Set(
  "connection content-security-policy date keep-alive referrer-policy x-powered-by"
    .split(" "),
);

/** Returns how a response differs from an expected one, or `undefined` if it does not. */
export function compareResponse(
  { status, headers, content, closes, isOwn }: Expected,
  response: CaseResponse,
  isHead: boolean,
): string | undefined {
  const { body } = response;
  if (isOwn) {
    const isRight = response.status === status &&
      !response.headers.has("content-length");
    return isRight ? undefined : `not ${status} by Node.js`;
  }
  const isEmpty = isHead || status === 204 || status === 304;
  const isKnown = typeof content === "string";
  const found = (name: string) => response.headers.get(name) ?? "none";
  const text = isKnown ? content : body;
  const hasEtag = headers["cache-control"] === "no-cache";
  const wanted: Record<string, string> = {
    ...hasEtag && { etag: isEmpty ? found("etag") : etagOf(text) },
    ...headers,
    ...status !== 204 && status !== 304 && {
      "content-length": isHead && !isKnown
        ? found("content-length")
        : `${Buffer.byteLength(text)}`,
    },
  };
  const isClosing = found("connection") === "close";
  if (wanted["x-request-id"] === ANY) {
    wanted["x-request-id"] = found("x-request-id");
  }
  const expected = show(status, wanted, closes ?? isClosing);
  const actual = show(response.status, response.headers, isClosing);
  const isRight = isEmpty
    ? body === ""
    : isKnown
    ? body === content
    : content.test(body);
  if (expected === actual && isRight) return undefined;
  return `expected ${expected} ${content}, got ${actual} ${body.slice(0, 500)}`;
}

function show(
  status: number,
  headers: Headers | CaseResponse["headers"],
  closes: boolean,
): string {
  const sorted = [...new Headers(headers)].filter(([name]) =>
    !IGNORED.has(name)
  );
  return JSON.stringify([status, sorted, closes]);
}
