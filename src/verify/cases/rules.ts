// deno-fmt-ignore-file: a few lines for each test case
import type { CaseRequest, CaseResponse, Expected, Rule } from "../case.ts";
import { NO_STORE } from "./entry.ts";

type Entry = Omit<Rule, "kind" | "specification">;
type Condition = (response: CaseResponse, request: CaseRequest) => boolean;

/** A rule for the headers of the responses to which a condition applies. */
interface HeaderEntry extends Omit<Entry, "expect"> {
  readonly appliesTo: Condition;
  readonly headers: NonNullable<Expected["headers"]>;
}

const toEntry = ({ appliesTo, headers, ...entry }: HeaderEntry): Entry => ({
  ...entry,
  expect: (request, response) => appliesTo(response, request) ? { headers } : undefined,
});

const METHODS = "GET, HEAD, OPTIONS";

const hasBody: Condition = ({ body }, { method }) => body !== "" && method !== "HEAD";
const hasStatus = (expected: number): Condition => ({ status }) => status === expected;
const isAny: Condition = () => true;
const isError: Condition = ({ status }) => status >= 400;
/** Whether a response is a list, or reports that a list has not changed. */
const isList: Condition = ({ status, body }) =>
  status === 200 && body.startsWith("[") || status === 304;
const isPreflight: Condition = ({ status }, { method, headers }) =>
  status === 204 && method === "OPTIONS" &&
  ["Origin", "Access-Control-Request-Method"].every((name) =>
    headers.some(([each]) => each === name)
  );
const listsMethods: Condition = (response, request) =>
  response.status === 405 || response.status === 204 && !isPreflight(response, request);

/** The test cases that concern every response. */
export const RULE_ENTRIES: readonly Entry[] = [
  { id: "every.error-body", level: "core", section: 1,
    title: "Every error has an Error body with its status and a message",
    expect: ({ method }, { status }) => status < 400 || method === "HEAD"
      ? undefined
      : { body: { error: status, message: /./ } } },
  ...([
    { id: "every.challenge", level: "core", section: 2,
      title: "Every 401 has a Bearer challenge", appliesTo: hasStatus(401),
      headers: { "www-authenticate": /^Bearer(?:[ ,]|$)/i } },
    { id: "every.content-type", level: "core", section: 5,
      title: "Every body is declared as JSON", appliesTo: hasBody,
      headers: { "content-type": "application/json" } },
    { id: "every.realm", level: "http", section: 2,
      title: "Every challenge names the realm plant-store", appliesTo: hasStatus(401),
      headers: { "www-authenticate": /\brealm[ \t]*=[ \t]*"?plant-store\b/i } },
    { id: "every.etag", level: "http", section: 5,
      title: "Every list has a strong ETag", appliesTo: isList,
      headers: { etag: /^"[\x21\x23-\x7e\x80-\xff]*"$/ } },
    { id: "every.private", level: "http", section: 5,
      title: "Every list is private and revalidated", appliesTo: isList,
      headers: { "cache-control": "private, no-cache" } },
    { id: "every.vary", level: "http", section: 5,
      title: "Every list varies by Authorization", appliesTo: isList,
      headers: { vary: "Authorization" } },
    { id: "every.no-store", level: "http", section: 5,
      title: "No error is stored in caches", appliesTo: isError, headers: NO_STORE },
    { id: "every.allow", level: "http", section: 5,
      title: "Every 405 and OPTIONS lists the methods", appliesTo: listsMethods,
      headers: { allow: METHODS } },
    { id: "every.retry-after", level: "http", section: 5,
      title: "Every 503 has a Retry-After header", appliesTo: hasStatus(503),
      headers: { "retry-after": "1" } },
    { id: "every.nosniff", level: "http", section: 5,
      title: "Every response disables content sniffing", appliesTo: isAny,
      headers: { "x-content-type-options": "nosniff" } },
    { id: "every.allow-origin", level: "http", section: 5,
      title: "Every origin can read every response", appliesTo: isAny,
      headers: { "access-control-allow-origin": "*" } },
    { id: "every.expose-headers", level: "http", section: 5,
      title: "Scripts can read the headers", appliesTo: isAny,
      headers: { "access-control-expose-headers": "ETag, WWW-Authenticate, Allow, Retry-After" } },
    { id: "every.preflight", level: "http", section: 5,
      title: "Every preflight allows methods and headers", appliesTo: isPreflight,
      headers: { "access-control-allow-methods": METHODS,
        "access-control-allow-headers": "Authorization, *",
        "access-control-max-age": "600" } },
  ] as const).map(toEntry),
  { id: "every.content-length", level: "http", section: 5,
    title: "Content-Length is the length of the body",
    expect({ method }, { status, headers, body }) {
      if (!headers.has("content-length") || status === 304) return undefined;
      const { byteLength } = new TextEncoder().encode(body);
      const expected = method === "HEAD" ? /^\d+$/ : `${byteLength}`;
      return { headers: { "content-length": expected } };
    } },
];
