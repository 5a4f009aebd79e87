import { escapeControls } from "../domain/quote.ts";
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

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?)?$/i;

/** The maximum length of a value in a message, in characters. */
const SHOWN_LENGTH = 200;

/**
 * Describes the differences between a response and its requirements.
 *
 * @param source Where the requirements come from, for messages.
 */
export function compare(
  { status, has = {}, body }: Expected,
  response: CaseResponse,
  source = "",
): readonly string[] {
  const differences: string[] = [];
  const add = (name: string, expected: unknown, actual: unknown) =>
    differences.push(
      `${name}: expected ${show(expected)}${source}, got ${show(actual)}`,
    );
  const statuses = [status ?? response.status].flat();
  const isRight = statuses.includes(response.status);
  if (!isRight) add("status", statuses.join(" or "), response.status);
  for (const [name, expected] of Object.entries(has)) {
    const value = response.headers.get(name);
    if (!isHeader(name, expected, value)) add(name, expected, value);
  }
  // If the status is wrong, do not report the body, too.
  const hasBody = !isRight || body === undefined || isBody(body, response.body);
  if (!hasBody) add("body", body, response.body);
  return differences;
}

/** Describes the differences between the responses to HEAD and to GET. */
export function compareHead(
  head: CaseResponse,
  get: CaseResponse | string,
): readonly string[] {
  if (typeof get === "string") return [get];
  const names = ["content-type", "etag", "content-length"]
    // HEAD can omit Content-Length (RFC 9110 section 9.3.2).
    .filter((name) => name !== "content-length" || head.headers.has(name));
  const has = names.map((name) => [name, get.headers.get(name)] as const);
  const expected = { status: get.status, has: Object.fromEntries(has) };
  return compare(expected, head, " as for GET");
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
  if (expected === value) return true;
  if (expected === null || value === null) return false;
  if (name === "content-type") return JSON_TYPE.test(value);
  const isOpen = LISTS.get(name);
  if (isOpen === undefined) return false;
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
  const shown = escapeControls(text.slice(0, SHOWN_LENGTH));
  return text.length > SHOWN_LENGTH ? `${shown}...` : shown;
}
