import { METHODS } from "node:http";
import {
  endOf,
  hasBadCoding,
  hasBadFraming,
  hasGoodHost,
  type Head,
  parameters,
  read,
  spells,
  takeApart,
  trim,
  type WireRequest,
} from "./head.ts";
import type { Content, State } from "./state.ts";

// What the interface, the design and RFC 9110, 9112 and 6750 say that a request
// has to be answered. It shares no line with the service, and judges by other
// means where there are any.

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
  /** What the content must match, where it tells of more than the request and the state. */
  readonly pattern?: RegExp;
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
      (target = head.target) =>
        answer({ ...head, target }, service, general, state, now),
    );
  }
  const isBroken = head.isBroken || !METHODS.includes(head.method) ||
    hasBadFraming(head) || hasBadCoding(head) ||
    !/^(?:0\.9|1\.0|1\.1|2\.0)$/.test(head.version) ||
    head.method !== "CONNECT" && !/^(?:[/*]|[a-z]+:\/\/)/i.test(head.target);
  // Node has room for 16 KiB, and counts its own way.
  const isLong = head.length > 15_900 || head.lines.length > 1_000;
  const tooLong = isLong ? refusals(431) : [];
  if (!isBroken) {
    const dubious = head.isDubious ? refusals(400) : [];
    if (head.weight > 17_000) return [...tooLong, ...dubious];
    const replies = judgeOnNode(head, service, general, state, now);
    return [...replies, ...dubious, ...tooLong];
  }
  // CONNECT is refused as soon as it is read, and PRI is the start of HTTP/2, which may go on.
  const [, method] = /^\s*(CONNECT|PRI) /.exec(request.start) ?? [];
  return [
    ...refusals(400),
    ...method === "CONNECT" ? refusals(405) : [],
    ...method === "PRI" ? [...refusals(408), SILENCE] : [],
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
    // What it names is no matter to the service, and may be one to the parser.
    return isBad ? refused(400) : [...refused(405), ...refused(400)];
  }
  if (version !== "1.1" && version !== "1.0") return refused(400);
  const hosts = head.all("host").length;
  if (hosts > 1 || hosts === 0 && version === "1.1") return refused(400);
  const expectations = version === "1.1"
    ? head.all("expect").join().toLowerCase().split(",").map(trim)
    : [];
  const hasWait = expectations.includes("100-continue");
  const hasOther = expectations.some((each) => each !== "100-continue") &&
    head.has("expect");
  const isBad = hosts === 1 && !hasGoodHost(head);
  if (hasOther && !hasWait) return refused(isBad ? 400 : 417);
  const isCut = head.has("transfer-encoding") || hasWait ||
    Number(head.first("content-length") ?? 0) > 65_536;
  const reply = answer(head, service, general, state, now);
  const end = isCut ? "closed" : endOf(head);
  return [
    { ...reply, end },
    // Who can't go on after an offer that was declined may say so.
    ...head.has("upgrade") && end === "open" &&
        /upgrade/i.test(head.all("connection").join())
      ? [{ ...reply, end: "closed" } as const]
      : [],
    // It may wait for both, or for none.
    ...hasOther ? refused(417) : [],
  ];
}

const SILENCE: Outcome = { status: "none", fields: {}, end: "closed" };

/** What Deno and Bun answer: by themselves what they find wrong with the HTTP, as HTTP.md has it. */
function judgeForeign(
  head: Head,
  { runtime }: Service,
  general: Fields,
  ask: (target?: string) => Reply,
): readonly Outcome[] {
  const own: readonly Outcome[] = [
    { status: "own", fields: {}, end: "closed", isUnread: true },
    SILENCE,
  ];
  if (head.isBroken && !head.isTolerable) return own;
  const hosts = head.all("host").length;
  if (hosts === 1 && !hasGoodHost(head)) {
    return [{ ...failure(400, general), end: "either" }, ...own];
  }
  const reply: Outcome = { ...ask(), end: endOf(head) };
  const loose: Outcome = { ...reply, end: "either" };
  // Bun takes a host that is empty for none.
  const noHost = /^https?:\/\/(?=[/?#]|$)/i;
  if (noHost.test(head.target)) {
    const other = ask(head.target.replace(noHost, ""));
    return [loose, { ...other, end: "either" }, ...own];
  }
  const isPlain = METHODS.includes(head.method) && head.method !== "CONNECT" &&
    /^(?:\/|https?:\/\/)/i.test(head.target) && head.version === "1.1" &&
    hosts === 1 && head.lines.length < 90 && head.length < 15_000 &&
    !head.isBroken && !head.isDubious && !hasBadFraming(head);
  if (!isPlain) return [loose, ...own];
  if (!OF_CONNECTION.some((name) => head.has(name))) return [reply];
  const isFramed = head.has("transfer-encoding") || runtime === "bun";
  return isFramed ? [loose, ...own] : [loose];
}

/** The fields on which it depends what becomes of a connection. */
const OF_CONNECTION = [
  "content-length",
  "transfer-encoding",
  "expect",
  "upgrade",
  "connection",
];

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
  const [origin = ""] = /^https?:\/\/[^/?]*/i.exec(head.target) ?? [];
  if (head.target.length - origin.length > 8_192) return failure(414, general);
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
    ...found === "/readyz"
      ? { pattern: READY }
      : { content: { body: '{"status":"ok"}', tag: null } },
  };
}

/** When plants were loaded, and when a file was refused. */
const READY =
  /^\{"status":"ok","loaded":"[\d-]{10}T[\d:.]{12}Z"(?:,"rejected":"[\d-]{10}T[\d:.]{12}Z")?\}$/;

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
  const host = head.first("host");
  const [target] = /^https?:\/\/[^/?#\\]+/i.exec(head.target) ?? [];
  // Bun builds the URL from the Host header.
  const isFromHost = target === undefined ||
    runtime === "bun" && host !== undefined;
  const url = isFromHost ? `http://${host ?? ""}` : target;
  return `${URL.canParse(url) ? new URL(url).origin : ""}${basePath}`;
}
