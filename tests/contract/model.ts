import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Access, Plant } from "../../mod.ts";
import type { CaseRequest, CaseResponse } from "./all_cases.ts";

// The response of this implementation to any request that a server can read, which
// docs/http-api.md specifies in part. The model shares no code with the service.

type Headers = Readonly<Record<string, string>>;

/** The service under test. */
export interface Model {
  readonly basePath: string;
  readonly cors: "*" | "off" | readonly string[];
  /** The headers and bodies of what the service has in addition to the plants, by path. */
  readonly documents: ReadonlyMap<string, readonly [Headers, RegExp]>;
  readonly plants: readonly Plant[];
  /** What users see, by their tokens. */
  readonly users: ReadonlyMap<string, Access>;
  /** How the store fails, if it does: `unavailable`, or in another way. */
  readonly failure?: string | undefined;
  /** Whether responses have an ID. */
  readonly hasIds?: boolean;
}

/** A correct response. */
export interface Expected {
  readonly status: number;
  /** All headers that the service sends. */
  readonly headers: Headers;
  /** The body in response to GET. */
  readonly content: string | RegExp;
}

/** Any value of a header. */
const ANY = "any";

const ALLOW = { "allow": "GET, HEAD, OPTIONS" };
const JSON_TYPE = { "content-type": "application/json" };
const NO_STORE = { ...JSON_TYPE, "cache-control": "no-store" };
const NO_CACHE = { ...JSON_TYPE, "cache-control": "no-cache" };
const PREFLIGHT = {
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-max-age": "600",
};

/** What a handler serves in addition to the plants. */
export const DOCUMENTS: Model["documents"] = new Map([
  ["/healthz", [NO_STORE, /^\{"status":"ok"\}$/]],
  ["/readyz", [NO_STORE, /^\{"status":"ok"(?:,"\w+":"[^"]+Z")*\}$/]],
  ["/openapi.json", [NO_CACHE, /^\{\s+"openapi": "3\.1\.0"/]],
]);

/** A request whose headers can be repeated. */
class Received {
  readonly method: string;
  readonly target: string;
  readonly #headers: NonNullable<CaseRequest["headers"]>;

  constructor({ method, target, headers }: CaseRequest) {
    this.method = method ?? "GET";
    this.target = target ?? "/plants";
    this.#headers = headers ?? [];
  }

  all(name: string): readonly string[] {
    return this.#headers.filter(([each]) => each.toLowerCase() === name)
      .map(([, value]) => value.replace(/^[ \t]+|[ \t]+$/g, ""));
  }

  get(name: string): string {
    return this.all(name).join(", ");
  }
}

/** Returns the response to a request, in the order of section 10. */
export function predict(sent: CaseRequest, service: Model): Expected {
  const request = new Received(sent);
  const { method, target } = request;
  const common = commonHeaders(service, request);
  const hosts = request.all("host");
  if (hosts.length > 1 || !hosts.every(isValidHost)) return fail(400, common);
  const asked = request.all("access-control-request-method");
  if (method === "OPTIONS" && request.all("origin").length * asked.length > 0) {
    if (!("access-control-allow-origin" in common)) return respond(204, common);
    const isListed = "access-control-allow-credentials" in common;
    const requested = request.get("access-control-request-headers");
    const isEchoed = isListed && /^[\w!#$%&'*+.^`|~, -]+$/.test(requested);
    const allowed = {
      "access-control-allow-headers": isEchoed ? requested : "Authorization, *",
    };
    return respond(204, { ...common, ...PREFLIGHT, ...allowed });
  }
  if (method === "CONNECT") return fail(405, { ...common, ...ALLOW });
  const relative = target.replace(/^https?:\/\/[^/?#\\]+/i, "");
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
  if (!document) return predictList(request, url, service, common);
  if (service.failure && path.endsWith("/readyz")) return unavailable(common);
  const [headers, content] = document;
  return conditional(request, { ...common, ...headers }, content);
}

/** Whether a host is `uri-host [ ":" port ]` (RFC 9110 section 7.2). */
export function isValidHost(host: string): boolean {
  const [, name = "", port = ""] = /^(\[.*\]|[^:]*)(?::(.*))?$/.exec(host) ??
    [];
  if (/\D/.test(port)) return false;
  if (name.startsWith("[")) {
    return isIPv6(name.slice(1, -1)) && !name.includes("%");
  }
  return name.length <= 255 &&
    /^(?:[\w\-.~!$&'()*+,;=]|%[0-9a-f]{2})+$/i.test(name);
}

function predictList(
  request: Received,
  { searchParams }: URL,
  { plants, users, failure }: Model,
  common: Headers,
): Expected {
  const credentials = request.get("authorization");
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
  return conditional(request, { ...common, ...headers, etag }, content);
}

function canSee(access: Access, { name, tag }: Plant): boolean {
  if (access === "all") return true;
  const { names = [], tags = [] } = access;
  return names.includes(name) || tag !== undefined && tags.includes(tag);
}

/** Quotes at most 64 characters and escapes invisible ones. */
function quote(text: string): string {
  const characters = [...text];
  const escaped = JSON.stringify(characters.slice(0, 64).join("")).replace(
    /(?! )[\x7f-\x9f\p{Z}\p{Default_Ignorable_Code_Point}]/gu,
    (invisible) =>
      invisible.split("").map((unit) =>
        `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
      ).join(""),
  );
  return characters.length > 64 ? `${escaped}...` : escaped;
}

/** Returns 304 if the client has the response (RFC 9110 section 13.1.2). */
function conditional(
  request: Received,
  headers: Headers,
  content: string | RegExp,
): Expected {
  const known = request.get("if-none-match");
  // Commas can be quoted: before others, the number of quotation marks is even.
  const etags = known.split(/(?<=^(?:[^"]*"[^"]*")*[^"]*),/)
    .map((etag) => etag.trim().replace(/^W\//, ""));
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
  return { status, headers, content };
}

/** Returns the headers of every response to an origin. */
function commonHeaders({ cors, hasIds }: Model, request: Received): Headers {
  const isOpen = cors === "*" || cors === "off";
  const origin = request.get("origin");
  const allowed = isOpen ? cors : cors.includes(origin) ? origin : "off";
  const exposed = "ETag, WWW-Authenticate, Allow, Retry-After";
  const id = request.get("x-request-id");
  return {
    "x-content-type-options": "nosniff",
    ...hasIds && { "x-request-id": /^[\w.-]{1,64}$/.test(id) ? id : ANY },
    ...!isOpen && { "vary": "Origin" },
    ...allowed !== "off" && {
      "access-control-allow-origin": allowed,
      "access-control-expose-headers": hasIds
        ? `${exposed}, X-Request-Id`
        : exposed,
    },
    ...!isOpen && allowed !== "off" && {
      "access-control-allow-credentials": "true",
    },
  };
}

/** Headers of the connection, and those that hosts add. */
const IGNORED = new Set("connection date keep-alive x-powered-by".split(" "));

/** Returns an expected and an actual response in a form in which they must be equal. */
export function toComparable(
  { status, headers, content }: Expected,
  response: CaseResponse,
  isHead: boolean,
): readonly [expected: unknown, actual: unknown] {
  const { body } = response;
  const found = Object.fromEntries(
    [...response.headers].filter(([name]) => !IGNORED.has(name)),
  );
  const hasBody = status !== 204 && status !== 304;
  const isKnown = typeof content === "string";
  const text = isKnown ? content : content.test(body) ? body : `${content}`;
  const wanted = { ...headers };
  if (hasBody) wanted["content-length"] = `${new Blob([text]).size}`;
  if (wanted["cache-control"] === "no-cache") wanted["etag"] = etagOf(text);
  for (const name of ["content-length", "etag", "x-request-id"]) {
    // Without the body, the model cannot know these headers of documents.
    const isUnknown = wanted[name] === ANY || !isKnown && (isHead || !hasBody);
    if (isUnknown && name in wanted) wanted[name] = found[name] ?? "missing";
  }
  const expected = [status, wanted, hasBody && !isHead ? text : ""];
  return [expected, [response.status, found, body]];
}
