import { METHODS } from "node:http";
import { isIPv6 } from "node:net";
import type { Content, State } from "./state.ts";

// What the interface, the design and RFC 9110, 9112 and 6750 say that a request
// has to be answered. It shares no line with the service, and judges by other
// means where there are any.

/** A request as its bytes are sent, a character a byte. */
export interface WireRequest {
  /** What it was made to try. */
  readonly kind: string;
  /** The request line. */
  readonly start: string;
  readonly lines: readonly string[];
  /** What follows the head. */
  readonly body: string;
}

/** The server that a request is sent to. */
export interface Service {
  readonly runtime: "node" | "deno" | "bun";
  readonly basePath: string;
  readonly cors: "*" | "off" | readonly string[];
  /** What is served beside the plants, by its path under the base path. */
  readonly documents: ReadonlyMap<string, Document>;
}

/** A document that the server has beside the plants. */
export interface Document {
  readonly type: string;
  /** The document as a client at this address gets it. */
  at(baseUrl: string): Content;
}

/** An answer that is right. */
export interface Outcome {
  /** The status; `none` where the connection ends without an answer, `own` for a refusal of the runtime's. */
  readonly status: number | "none" | "own";
  /** Fields that it must have, by their lower-case names, and with null those that it must not. */
  readonly fields: Readonly<Record<string, string | null>>;
  /** The content, or its `error` and what its `message` must hold. */
  readonly content?: Content;
  readonly error?: number;
  readonly says?: string;
  /** What becomes of the connection. */
  readonly end: "open" | "closed" | "either";
  /** Whether it is refused before its method counts, so that HEAD may get a body. */
  readonly isUnread?: boolean;
}

/** All answers that are right; the first is what is hoped for. */
export function judge(
  request: WireRequest,
  service: Service,
  state: State,
  now: number,
): readonly Outcome[] {
  const head = read(request);
  const general = corsFields(service, head.all("origin").join(", "));
  // Of what is not read to its end, the origin may not be known.
  const refusals = (status: number) => [
    refuse(status, corsFields(service, "")),
    refuse(status, general),
  ];
  if (service.runtime !== "node") {
    return judgeForeign(
      head,
      service,
      general,
      () => answer(head, service, general, state, now),
    );
  }
  const isBroken = head.isBroken || !METHODS.includes(head.method) ||
    hasBadFraming(head) || !/^(?:0\.9|1\.0|1\.1|2\.0)$/.test(head.version) ||
    head.method !== "CONNECT" && !/^(?:[/*]|[a-z]+:\/\/)/i.test(head.target);
  // Node has room for 16 KiB, and counts its own way.
  const isLong = head.length > 15_900 || head.lines.length > 1_000;
  const tooLong = isLong ? refusals(431) : [];
  if (!isBroken) {
    const dubious = head.isDubious ? refusals(400) : [];
    if (head.length > 17_000) return [...tooLong, ...dubious];
    const replies = judgeOnNode(head, service, general, state, now);
    return [...replies, ...dubious, ...tooLong];
  }
  // CONNECT is refused as soon as it is read, and PRI is the start of HTTP/2, which may go on.
  const [, method] = /^\s*(CONNECT|PRI) /.exec(request.start) ?? [];
  return [
    ...refusals(400),
    ...method === "CONNECT" ? refusals(405) : [],
    ...method === "PRI" ? refusals(408) : [],
    ...tooLong,
  ];
}

function judgeOnNode(
  head: Head,
  service: Service,
  general: Fields,
  state: State,
  now: number,
): readonly Outcome[] {
  const refused = (status: number) => [refuse(status, general)];
  const { method, version } = head;
  if (method === "CONNECT") {
    const isBad = head.has("host") && !hasGoodHost(head);
    const isCoded = head.has("transfer-encoding");
    return [...refused(isBad ? 400 : 405), ...isCoded ? refused(400) : []];
  }
  if (version !== "1.1" && version !== "1.0") return refused(400);
  const hosts = head.all("host").length;
  if (hosts > 1 || hosts === 0 && version === "1.1") return refused(400);
  const codings = head.all("transfer-encoding");
  if (codings.length > 0 && codings.join().toLowerCase() !== "chunked") {
    // The parser may know that it is wrong before the service does.
    return [...refused(400), refuse(400, corsFields(service, ""))];
  }
  const expectations = version === "1.1"
    ? head.all("expect").join().toLowerCase().split(",").map(trim)
    : [];
  const hasWait = expectations.includes("100-continue");
  const hasOther = expectations.some((each) => each !== "100-continue") &&
    head.has("expect");
  const isBad = hosts === 1 && !hasGoodHost(head);
  if (hasOther && !hasWait) return refused(isBad ? 400 : 417);
  const isCut = codings.length > 0 || hasWait ||
    Number(head.first("content-length") ?? 0) > 65_536;
  const reply = answer(head, service, general, state, now);
  const end = isCut ? "closed" : endOf(head);
  return [
    { ...reply, end },
    // Who can't go on after an offer that was declined may say so.
    ...head.has("upgrade") && end === "open"
      ? [{ ...reply, end: "closed" } as const]
      : [],
    // It may wait for both, or for none.
    ...hasOther ? refused(417) : [],
  ];
}

/** What Deno and Bun answer: by themselves what they find wrong with the HTTP, as HTTP.md has it. */
function judgeForeign(
  head: Head,
  { runtime }: Service,
  general: Fields,
  ask: () => Reply,
): readonly Outcome[] {
  const own: readonly Outcome[] = [
    { status: "own", fields: {}, end: "closed", isUnread: true },
    { status: "none", fields: {}, end: "closed" },
  ];
  if (head.isBroken && !head.isTolerable) return own;
  const reply: Outcome = { ...ask(), end: endOf(head) };
  const loose: Outcome = { ...reply, end: "either" };
  const hosts = head.all("host").length;
  if (hosts === 1 && !hasGoodHost(head)) {
    return [{ ...failure(400, general), end: "either" }, ...own];
  }
  const isPlain = METHODS.includes(head.method) && head.method !== "CONNECT" &&
    /^(?:\/|https?:\/\/.)/i.test(head.target) && head.version === "1.1" &&
    hosts === 1 &&
    head.lines.length < 90 && head.length < 15_000 &&
    !head.isBroken && !head.isDubious && !hasBadFraming(head);
  if (!isPlain) return [loose, ...own];
  const isBare = ![
    "content-length",
    "transfer-encoding",
    "expect",
    "upgrade",
    "connection",
  ]
    .some((name) => head.has(name));
  if (isBare) return [reply];
  const isFramed = head.has("transfer-encoding") || runtime === "bun";
  return isFramed ? [loose, ...own] : [loose];
}

type Fields = Readonly<Record<string, string | null>>;
type Reply = Omit<Outcome, "end">;

/** What the service itself answers, in the order of judgement. */
function answer(
  head: Head,
  service: Service,
  general: Fields,
  state: State,
  now: number,
): Reply {
  const { method } = head;
  if (head.has("host") && !hasGoodHost(head)) return failure(400, general);
  if (
    method === "OPTIONS" && head.has("origin") &&
    head.has("access-control-request-method")
  ) {
    return preflight(general);
  }
  if (method === "CONNECT") return failure(405, general);
  const { path, query } = takeApart(head.target);
  const found = ["/plants", "/healthz", "/readyz", ...service.documents.keys()]
    .find((each) =>
      path !== undefined && spells(path, service.basePath + each)
    );
  const allow = { "allow": "GET, HEAD, OPTIONS" };
  // Others than Node hand the asterisk on as a path.
  const isForeign = service.runtime !== "node";
  const isAsterisk = path === "*" ||
    isForeign && path === "/*" && !head.target.includes("?");
  if (method === "OPTIONS" && (found || isAsterisk)) {
    return { status: 204, fields: { ...general, ...allow, ...NO_CONTENT } };
  }
  if (!found) return failure(404, general);
  if (method !== "GET" && method !== "HEAD") {
    return failure(405, { ...general, ...allow });
  }
  if (found === "/plants") return listPlants(head, query, general, state, now);
  const document = service.documents.get(found);
  if (document) {
    const url = baseUrl(head, service);
    const fields = {
      ...general,
      "content-type": document.type,
      "cache-control": "no-cache",
    };
    const { content, ...reply } = conditional(head, document.at(url), fields);
    // Deno makes up a host where there is none.
    const isMadeUp = service.runtime !== "node" && !head.has("host");
    return isMadeUp || content === undefined ? reply : { ...reply, content };
  }
  return {
    status: 200,
    fields: {
      ...general,
      "content-type": "application/json",
      "cache-control": "no-store",
    },
    content: { body: '{"status":"ok"}', tag: null },
  };
}

function listPlants(
  head: Head,
  query: string,
  general: Fields,
  state: State,
  now: number,
): Reply {
  const credentials = head.all("authorization").join(", ");
  const realm = 'Bearer realm="plant-store"';
  if (!/^bearer(?![!#$%&'*+\-.^_`|~\w])/i.test(credentials)) {
    return failure(401, { ...general, "www-authenticate": realm });
  }
  const [, token = ""] = /^bearer +([\w\-.~+/]+=*)$/i.exec(credentials) ?? [];
  const holder = state.holders.get(token);
  if (!holder || holder.expires !== undefined && now >= holder.expires) {
    return failure(401, {
      ...general,
      "www-authenticate": `${realm}, error="invalid_token"`,
    });
  }
  const limits = parameters(query).filter(([name]) => name === "limit");
  const [value] = limits.map(([, value]) => value);
  if (value !== undefined && (limits.length > 1 || !isInt32(value))) {
    const shown = limits.length === 1 && /^[ -~]*$/.test(value)
      ? JSON.stringify(value.slice(0, 64))
      : "limit";
    return { ...failure(400, general), says: shown };
  }
  const content = state.list(holder.user, BigInt(value ?? 2 ** 31));
  const vary = general["vary"] ? "Authorization, Origin" : "Authorization";
  const fields = {
    ...general,
    vary,
    "content-type": "application/json",
    "cache-control": "private, no-cache",
  };
  return conditional(head, content, fields);
}

function isInt32(text: string): boolean {
  if (!/^[0-9]+$/.test(text)) return false;
  const number = BigInt(text);
  return String(number) === text && number < 2n ** 31n;
}

const NO_CONTENT = { "content-length": null, "content-type": null };

/** 304 where the client has it already (RFC 9110 section 13.1.2). */
function conditional(head: Head, content: Content, fields: Fields): Reply {
  const known = head.all("if-none-match").join(", ");
  const tags = known.match(/(?:W\/)?"[^"]*"/g) ?? [];
  const isKnown = known === "*" ||
    content.tag !== undefined &&
      tags.some((tag) => tag.replace("W/", "") === content.tag);
  if (!isKnown) return { status: 200, fields, content };
  return { status: 304, fields: { ...fields, ...NO_CONTENT }, content };
}

function failure(status: number, general: Fields): Reply {
  return {
    status,
    fields: {
      ...general,
      "content-type": "application/json",
      "cache-control": "no-store",
      "etag": null,
    },
    error: status,
  };
}

function refuse(status: number, general: Fields): Outcome {
  return { ...failure(status, general), end: "closed", isUnread: true };
}

function preflight(general: Fields): Reply {
  if (general["access-control-allow-origin"] === null) {
    return { status: 204, fields: { ...general, ...NO_CONTENT } };
  }
  return {
    status: 204,
    fields: {
      ...general,
      ...NO_CONTENT,
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers": "Authorization, *",
      "access-control-max-age": "600",
    },
  };
}

/** What goes with every answer. */
function corsFields({ cors }: Service, origin: string): Fields {
  const isList = typeof cors !== "string";
  const allowed = cors === "*"
    ? "*"
    : isList && cors.includes(origin)
    ? origin
    : null;
  return {
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": allowed,
    "access-control-allow-credentials": null,
    "vary": isList ? "Origin" : null,
  };
}

/** The address that the service is under, for whoever sent this. */
function baseUrl(head: Head, { basePath, runtime }: Service): string {
  const named = head.first("host");
  const [, scheme, host = ""] =
    /^(https?):\/\/([^/?#\\]+)/i.exec(head.target) ?? [];
  // Node alone knows by itself how the connection was made.
  const isHttps = scheme?.toLowerCase() === "https" &&
    (named === undefined || runtime !== "node");
  const url = `${isHttps ? "https" : "http"}://${named ?? host}`;
  return `${URL.canParse(url) ? new URL(url).origin : ""}${basePath}`;
}

/** What a head says. */
interface Head {
  readonly length: number;
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly lines: readonly string[];
  /** Whether it is no HTTP. */
  readonly isBroken: boolean;
  /** Whether it is such that a server may refuse or take it, by RFC 9112 or RFC 3986. */
  readonly isDubious: boolean;
  /** Whether some take it all the same. */
  readonly isTolerable: boolean;
  has(name: string): boolean;
  first(name: string): string | undefined;
  all(name: string): readonly string[];
}

const START = /^([!#$%&'*+\-.^_`|~\w]+) +([\x21-\xff]+) HTTP\/(\d\.\d)$/;
const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;

function read({ start, lines }: WireRequest): Head {
  const text = [start, ...lines].join("\r\n");
  // RFC 9112 sections 2.2, 3 and 5.2: a line may end in LF alone, words may stand apart, a line may be folded.
  const [line = "", ...others] = text.replace(/^(?:\r\n)+/, "")
    .replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const isLoose = /^\r|[^\r]\n|\n[ \t]/.test(text) || / {2}/.test(line);
  const [, method = "", target = "", version = ""] = START.exec(line) ?? [];
  const fields = new Map<string, string[]>();
  let isBroken = method === "" || target.includes("\x7f");
  for (const each of others) {
    const colon = each.indexOf(":");
    const name = each.slice(0, colon);
    const value = trim(each.slice(colon + 1));
    if (
      colon < 1 || !NAME.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value)
    ) isBroken = true;
    const key = name.toLowerCase();
    const values = fields.get(key);
    if (values) values.push(value);
    else fields.set(key, [value]);
  }
  const all = (name: string) => fields.get(name) ?? [];
  return {
    length: text.length + 4,
    method,
    target,
    version,
    lines,
    isBroken,
    isDubious: isLoose ||
      /[\x80-\xff]|^[^/].*[#\\"<>^`{|}]/.test(target),
    isTolerable: method !== "",
    all,
    has: (name) => fields.has(name),
    first: (name) => all(name)[0],
  };
}

/** Takes blanks off both ends: a pattern for that would take long for long runs of them. */
function trim(text: string): string {
  let start = 0, end = text.length;
  while (start < end && (text[start] === " " || text[start] === "\t")) start++;
  while (start < end && (text[end - 1] === " " || text[end - 1] === "\t")) {
    end--;
  }
  return text.slice(start, end);
}

/** Framing on which two servers could differ (RFC 9112 section 6.3). */
function hasBadFraming(head: Head): boolean {
  const lengths = head.all("content-length");
  if (lengths.length === 0) return false;
  return lengths.length > 1 || head.has("transfer-encoding") ||
    !/^\d{1,18}$/.test(lengths[0]!);
}

/** What becomes of the connection, as the client wants it (RFC 9112 section 9.3). */
function endOf(head: Head): "open" | "closed" | "either" {
  // A Host with a comma may as well be two.
  if (head.first("host")?.includes(", ")) return "either";
  const options = head.all("connection").join().toLowerCase().split(",").map(
    trim,
  );
  // Node goes by what HTTP/1.0 knows.
  if (head.version === "1.0" && options.includes("keep-alive")) return "either";
  return options.includes("close") || head.version === "1.0"
    ? "closed"
    : "open";
}

/** `uri-host [ ":" port ]` (RFC 9110 section 7.2, RFC 3986 section 3.2.2). */
function hasGoodHost(head: Head): boolean {
  const hosts = head.all("host");
  const [, name = "", port = ""] =
    /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(hosts[0] ?? "") ?? [];
  if (hosts.length !== 1 || /\D/.test(port)) return false;
  if (name.startsWith("[")) {
    return isIPv6(name.slice(1, -1)) && !name.includes("%");
  }
  const plain = name.replace(/%[0-9a-f]{2}/gi, "x");
  return /^[\w\-.~!$&'()*+,;=]+$/.test(plain);
}

/** The path's segments with dots resolved, and the query (WHATWG URL, RFC 3986 section 5.2.4). */
function takeApart(
  target: string,
): { path: string | undefined; query: string } {
  if (target === "*") return { path: "*", query: "" };
  const relative = target.replace(/^https?:\/\/[^/?#\\]+/i, "");
  const [whole = ""] = relative.split("#");
  const mark = whole.indexOf("?");
  const before = mark === -1 ? whole : whole.slice(0, mark);
  const query = mark === -1 ? "" : whole.slice(mark + 1);
  const raw = before === "" ? "/" : before.replaceAll("\\", "/");
  if (!raw.startsWith("/")) return { path: undefined, query };
  const kept: string[] = [];
  const segments = raw.slice(1).split("/");
  for (const [index, segment] of segments.entries()) {
    const dots = segment.replace(/%2e/gi, ".");
    if (dots === "..") kept.pop();
    if (dots !== "." && dots !== "..") kept.push(segment);
    else if (index === segments.length - 1) kept.push("");
  }
  return { path: `/${kept.join("/")}`, query };
}

/** Whether a path is this one, each character as it is or escaped where that means nothing (RFC 3986 section 2.3). */
function spells(path: string, wanted: string): boolean {
  let at = 0;
  for (const character of wanted) {
    const code = path.slice(at, at + 3);
    if (path[at] === character) at++;
    else if (
      /[\w\-.~]/.test(character) && /^%[0-9a-f]{2}$/i.test(code) &&
      parseInt(code.slice(1), 16) === character.charCodeAt(0)
    ) at += 3;
    else return false;
  }
  return at === path.length;
}

/** The parameters of a query, as the URL standard reads a form. */
function parameters(query: string): [name: string, value: string][] {
  return query.split("&").filter((each) => each !== "").map((each) => {
    const sign = each.indexOf("=");
    return sign === -1
      ? [unescapeForm(each), ""]
      : [unescapeForm(each.slice(0, sign)), unescapeForm(each.slice(sign + 1))];
  });
}

function unescapeForm(text: string): string {
  const bytes = text.replaceAll("+", " ")
    .replace(
      /%([0-9a-f]{2})/gi,
      (_, digits) => String.fromCharCode(parseInt(digits, 16)),
    );
  return Buffer.from(bytes, "latin1").toString();
}
