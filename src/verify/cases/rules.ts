// deno-fmt-ignore-file: a few lines for each test case
import type { CaseRequest, CaseResponse, RequiredHeaders, Rule }
  from "../case.ts";
import { NO_STORE } from "./group.ts";

type Condition = (request: CaseRequest, response: CaseResponse) => boolean;

/** Requires headers of the responses to which a condition applies. */
const when =
  (applies: Condition, headers: RequiredHeaders): Rule["expect"] =>
  (request, response) => applies(request, response) ? { headers } : undefined;

const hasBody: Condition = ({ method }, { body }) =>
  body !== "" && method !== "HEAD" && method !== "OPTIONS";
const hasStatus = (expected: number): Condition => (_, { status }) => status === expected;
const isError: Condition = (_, { status }) => status >= 400;
/** Whether a response is a list, or reports that a list has not changed. */
const isList: Condition = (_, { status, body }) =>
  status === 200 && body.startsWith("[") || status === 304;

const getOrigin = ({ headers }: CaseRequest) =>
  headers.find(([name]) => name === "Origin")?.[1];

/** A challenge with parameters, and optionally others (RFC 9110 section 11.6.1). */
const CHALLENGE = {
  text: "a Bearer challenge",
  pattern:
    /^Bearer(?: +(?:(?:\w+ +)?[\w-]+ *= *(?:"(?:[^"\\]|\\.)*"|[^\s",;]+)(?: *, *|$))+|, *\w+ .*)?$/i,
};
const JSON_TYPE = {
  text: "application/json",
  pattern: /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?)?$/i,
};
const ETAG = {
  text: "an ETag in double quotes",
  pattern: /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/,
};
const NUMBER = { text: "a number", pattern: /^\d+$/ };
const NOSNIFF = { text: "nosniff", pattern: /^nosniff$/i };

/** The headers that scripts can read in responses that have them. */
const EXPOSED = ["ETag", "WWW-Authenticate", "Retry-After"];

const ENTRIES: readonly Omit<Rule, "kind">[] = [
  { id: "every.error-body", level: "core", section: 1,
    title: "Every error has an Error body with its status and a message",
    expect: ({ method }, { status }) => status < 400 || method === "HEAD"
      ? undefined
      : { body: { error: status, message: /./ } } },
  { id: "every.challenge", level: "core", section: 2, title: "Every 401 has a Bearer challenge",
    expect: when(hasStatus(401), { "www-authenticate": CHALLENGE }) },
  { id: "every.content-type", level: "core", section: 5, title: "Every body is declared as JSON",
    expect: when(hasBody, { "content-type": JSON_TYPE, "content-encoding": null }) },
  { id: "every.etag", level: "http", section: 5,
    title: "Every list has an ETag in double quotes",
    expect: when(isList, { etag: ETAG }) },
  { id: "every.private", level: "http", section: 5, title: "Every list is private and revalidated",
    expect: when(isList, { "cache-control": ["private", "no-cache"] }) },
  { id: "every.vary", level: "http", section: 5, title: "Every list varies by Authorization",
    expect: when(isList, { vary: ["Authorization"] }) },
  { id: "every.no-store", level: "http", section: 5, title: "No error is stored in caches",
    expect: when(isError, NO_STORE) },
  { id: "every.allow", level: "http", section: 5, title: "Every 405 lists GET and HEAD",
    expect: when(hasStatus(405), { allow: ["GET", "HEAD"] }) },
  { id: "every.retry-after", level: "http", section: 5,
    title: "Every 503 has a Retry-After header in seconds",
    expect: when(hasStatus(503), { "retry-after": NUMBER }) },
  { id: "every.nosniff", level: "http", section: 5, title: "Every body disables content sniffing",
    expect: when(hasBody, { "x-content-type-options": NOSNIFF }) },
  { id: "every.allow-origin", level: "http", section: 5,
    title: "Every origin can read every response",
    expect(request, { headers }) {
      const origin = getOrigin(request);
      if (origin === undefined) return undefined;
      const name = "access-control-allow-origin";
      const required: RequiredHeaders = headers.get(name) === origin
        ? { vary: ["Origin|*"] }
        : { [name]: "*" };
      return { headers: required };
    } },
  { id: "every.expose-headers", level: "http", section: 5, title: "Scripts can read the headers",
    expect(request, { headers }) {
      const names = EXPOSED.filter((name) => headers.has(name)).map((name) => `${name}|*`);
      if (names.length === 0 || !getOrigin(request)) return undefined;
      return { headers: { "access-control-expose-headers": names } };
    } },
  { id: "every.content-length", level: "http", section: 5,
    title: "Content-Length is the length of the body",
    expect({ method }, { status, headers, body }) {
      if (!headers.has("content-length") || status === 304) return undefined;
      const { byteLength } = new TextEncoder().encode(body);
      const expected = method === "HEAD" ? NUMBER : `${byteLength}`;
      return { headers: { "content-length": expected } };
    } },
];

/** The test cases that check all responses. */
export const RULES: readonly Rule[] = ENTRIES.map((entry) => ({ kind: "rule", ...entry }));
