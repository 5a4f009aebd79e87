import type { CaseResponse, Expected } from "./cases.ts";

/** Headers whose value is a list, and whether it can have additional members. */
const LISTS: ReadonlyMap<string, boolean> = new Map([
  ["access-control-allow-headers", true],
  ["access-control-allow-methods", false],
  ["access-control-expose-headers", true],
  ["allow", false],
  ["cache-control", false],
  ["vary", true],
]);

/** The maximum length of a value in a message, in characters. */
const SHOWN_LENGTH = 200;

/** Describes the differences between a response and its requirements. */
export function compare(
  { status, has = {}, body }: Expected,
  response: CaseResponse,
): readonly string[] {
  const statuses = [status ?? response.status].flat();
  const rows = Object.entries(has).map(([name, expected]) => {
    const value = response.headers.get(name);
    return [name, expected, value, isHeader(name, expected, value)] as const;
  });
  const isRight = statuses.includes(response.status);
  // If the status is wrong, do not report the body, too.
  const hasBody = body === undefined || !isRight || isBody(body, response.body);
  return [
    ["status", statuses.join(" or "), `${response.status}`, isRight] as const,
    ...rows,
    ["body", body, response.body, hasBody] as const,
  ].filter(([, , , isEqual]) => !isEqual).map(([name, expected, actual]) =>
    `${name}: expected ${show(expected)}, got ${show(actual)}`
  );
}

/** Describes the differences between the responses to HEAD and to GET. */
export function compareHead(
  head: CaseResponse,
  get: CaseResponse | string,
): readonly string[] {
  if (typeof get === "string") return [get];
  // HEAD can omit Content-Length (RFC 9110 section 9.3.2).
  return ["content-type", "etag"]
    .concat(head.headers.has("content-length") ? ["content-length"] : [])
    .map((name) => [name, get.headers.get(name), head.headers.get(name)])
    .concat([["status", `${get.status}`, `${head.status}`]])
    .filter(([, expected, actual]) => expected !== actual)
    .map(([name, expected, actual]) =>
      `${name}: expected ${show(expected)} as for GET, got ${show(actual)}`
    );
}

function isHeader(
  name: string,
  expected: string | RegExp | null,
  value: string | null,
): boolean {
  if (expected instanceof RegExp) return expected.test(value ?? "");
  // A rule reports missing challenges only once for all responses.
  if (name === "www-authenticate" && expected !== null) {
    return value === null || readError(expected) === readError(value);
  }
  if (expected === null || value === null) return expected === value;
  if (name === "content-type") {
    return /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?)?$/i.test(
      value,
    );
  }
  const isOpen = LISTS.get(name);
  if (isOpen === undefined) return expected === value;
  const [wanted, members] = [toList(expected), toList(value)];
  return wanted.every((each) => members.includes(each)) &&
    (isOpen || members.every((each) => wanted.includes(each)));
}

/** Splits a list and ignores letter case, as the contract does in all its lists. */
function toList(value: string): readonly string[] {
  return value.toLowerCase().split(",").map((each) => each.trim())
    .filter((each) => each !== "");
}

/** Returns the parameter `error` of a challenge. */
function readError(challenge: string): string | undefined {
  return /[ ,]error[ \t]*=[ \t]*"?([^", \t]*)/i.exec(challenge)?.[1];
}

function isBody(expected: unknown, body: string): boolean {
  if (expected === "") return body === "";
  if (expected instanceof RegExp) return expected.test(body);
  try {
    return includes(JSON.parse(body), expected);
  } catch {
    return false;
  }
}

/** Whether a value has all properties of another. Objects can have additional properties. */
function includes(value: unknown, expected: unknown): boolean {
  if (expected instanceof RegExp) {
    return typeof value === "string" && expected.test(value);
  }
  if (typeof expected !== "object" || expected === null) {
    return value === expected;
  }
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value) !== Array.isArray(expected)) return false;
  const properties = new Map(Object.entries(value));
  const others = Object.entries(expected);
  return (!Array.isArray(value) || properties.size === others.length) &&
    others.every(([name, each]) => includes(properties.get(name), each));
}

/** Formats a value on one line for a message, and truncates it. */
function show(value: unknown): string {
  if (value === null) return "none";
  if (value instanceof RegExp) return `a match of ${value}`;
  const text = value === "" || typeof value !== "string"
    ? JSON.stringify(value, (_, each) => each instanceof RegExp ? "..." : each)
    : value;
  const shown = text.slice(0, SHOWN_LENGTH).replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return text.length > SHOWN_LENGTH ? `${shown}...` : shown;
}
