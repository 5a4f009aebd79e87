import { isIPv6 } from "node:net";

// How the model reads a request: by RFC 9112, RFC 3986 and the URL standard.

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

/** What a head says. */
export interface Head {
  /** How many bytes it has, and how many of them are no separators. */
  readonly length: number;
  readonly weight: number;
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

export function read({ start, lines }: WireRequest): Head {
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
    weight: text.replace(/[\r\n:\t ]/g, "").length,
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
export function trim(text: string): string {
  let start = 0, end = text.length;
  while (start < end && (text[start] === " " || text[start] === "\t")) start++;
  while (start < end && (text[end - 1] === " " || text[end - 1] === "\t")) {
    end--;
  }
  return text.slice(start, end);
}

/** Framing on which two servers could differ (RFC 9112 section 6.3). */
export function hasBadFraming(head: Head): boolean {
  const lengths = head.all("content-length");
  if (lengths.length === 0) return false;
  return lengths.length > 1 || head.has("transfer-encoding") ||
    !/^\d{1,18}$/.test(lengths[0]!);
}

/** A transfer coding that is not understood (RFC 9112 section 6.1). */
export function hasBadCoding(head: Head): boolean {
  const codings = head.all("transfer-encoding");
  return codings.length > 0 && codings.join().toLowerCase() !== "chunked";
}

/** What becomes of the connection, as the client wants it (RFC 9112 section 9.3). */
export function endOf(head: Head): "open" | "closed" | "either" {
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
export function hasGoodHost(head: Head): boolean {
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
export function takeApart(
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
export function spells(path: string, wanted: string): boolean {
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
export function parameters(query: string): [name: string, value: string][] {
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
