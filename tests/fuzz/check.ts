import type { Outcome } from "./model.ts";
import type { WireResponse } from "./response.ts";
import type { TagBook } from "./state.ts";

/** The fields that an answer may have: none of them tells of the request. */
const KNOWN: ReadonlySet<string> = new Set([
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "access-control-max-age",
  "allow",
  "cache-control",
  "connection",
  "content-length",
  "content-security-policy",
  "content-type",
  "date",
  "etag",
  "keep-alive",
  "referrer-policy",
  "retry-after",
  "vary",
  "www-authenticate",
  "x-content-type-options",
  "x-request-id",
]);

const EXPOSED = ["ETag", "WWW-Authenticate", "Allow", "Retry-After"];

/** What is wrong with a response for this to be its outcome; undefined where nothing is. */
export function differ(
  outcome: Outcome,
  response: WireResponse,
  isHead: boolean,
  isNode: boolean,
  tags: TagBook,
): string | undefined {
  const { status, fields, body } = response;
  if (outcome.status === "none") return "it was not to be answered";
  if (outcome.status === "own") {
    const isRefusal = status >= 400 && status < 500 || status === 501 ||
      status === 505;
    return isRefusal && body === "" ? undefined : "it was to be refused";
  }
  if (status !== outcome.status) {
    return `the status was to be ${outcome.status}`;
  }
  for (const name of fields.keys()) {
    if (!KNOWN.has(name)) return `there is a field ${name}`;
  }
  for (const name in outcome.fields) {
    const wanted = outcome.fields[name]!;
    if ((fields.get(name) ?? null) !== wanted) {
      return wanted === null
        ? `there was to be no ${name}`
        : `${name} was to be "${wanted}"`;
    }
  }
  if (fields.has("access-control-allow-origin")) {
    const exposed = fields.get("access-control-expose-headers") ?? "";
    const missing = EXPOSED.find((name) => !exposed.includes(name));
    if (missing) return `${missing} was to be exposed`;
  }
  if (isNode && outcome.end !== "either") {
    const isClosing = fields.get("connection")?.toLowerCase() === "close";
    if (isClosing !== (outcome.end === "closed")) {
      return `the connection was to be ${outcome.end}`;
    }
  }
  const hasContent = status !== 204 && status !== 304;
  if (hasContent && !/^\d+$/.test(fields.get("content-length") ?? "")) {
    return "there was to be one content-length";
  }
  if (outcome.error !== undefined && !isHead) {
    return differInError(body, outcome.error, outcome.says ?? "");
  }
  if (outcome.pattern && !isHead && !outcome.pattern.test(body)) {
    return "the content was to be another";
  }
  if (!outcome.content) return undefined;

  const { content } = outcome;
  const isWhole = hasContent && !isHead;
  if (isWhole && body !== content.body) return "the content was to be another";
  if (isHead && hasContent) {
    const length = `${content.body.length}`;
    if (fields.get("content-length") !== length) {
      return `content-length was to be ${length}`;
    }
  }
  const tag = fields.get("etag");
  if (content.tag === null) {
    return tag === undefined ? undefined : "there was to be no etag";
  }
  if (!/^"[\x21\x23-\x7e]+"$/.test(tag ?? "")) {
    return "there was to be a strong etag";
  }
  if (content.tag !== undefined) {
    return tag === content.tag ? undefined : `etag was to be ${content.tag}`;
  }
  // Without content it is not known whose the tag is, while plants change.
  if (!isWhole) return undefined;
  const problem = tags.enter(content.body, tag!);
  if (!problem) content.tag = tag!;
  return problem;
}

function differInError(
  body: string,
  error: number,
  says: string,
): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body, "latin1").toString());
  } catch {
    return "the content was to be JSON";
  }
  const { error: number, message, ...rest } = value as Record<string, unknown>;
  if (number !== error) return `error was to be ${error}`;
  if (typeof message !== "string" || message.length < 8) {
    return "there was to be a message";
  }
  if (Object.keys(rest).length > 0) return "there was to be nothing else";
  return message.includes(says) ? undefined : `the message was to say ${says}`;
}
