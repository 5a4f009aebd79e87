import type { CaseResponse, Expected, HeaderRequirement } from "./case.ts";

/** A difference between a response and its requirements. */
export interface Difference {
  /** What differs: `status`, a header, `body`, or a place in it such as `[5].name`. */
  readonly location: string;
  /** What is required there. */
  readonly expected: string;
  /** What the response has there. */
  readonly actual: string;
  /** The ID of the test case with this response, if it is another one. */
  readonly caseId?: string;
}

/** Returns the differences between a response and its requirements. */
export function compare(
  { status, headers = {}, body }: Expected,
  response: CaseResponse,
): readonly Difference[] {
  const differences: Difference[] = [];
  const statuses = [status ?? response.status].flat();
  const isRight = statuses.includes(response.status);
  if (!isRight) {
    const expected = statuses.join(" or ");
    const actual = showStatus(response);
    differences.push({ location: "status", expected, actual });
  }
  for (const [location, expected] of Object.entries(headers)) {
    const actual = response.headers.get(location);
    if (isHeader(expected, actual)) continue;
    const wanted = showHeader(expected);
    differences.push({ location, expected: wanted, actual: actual ?? "none" });
  }
  // If the status is wrong, do not report the body, too.
  if (isRight && body !== undefined) {
    const isText = body === "" || body instanceof RegExp;
    const actual = isText ? response.body : parseJson(response.body);
    differences.push(...compareValues(body, actual, ""));
  }
  return differences;
}

/** Formats the status of a response, and the target of a redirect. */
export function showStatus({ status, headers }: CaseResponse): string {
  const target = headers.get("location");
  return target === null ? `${status}` : `${status} to ${target}`;
}

/** Returns the differences between the responses to HEAD and to GET. */
export function compareToGet(
  head: CaseResponse,
  get: CaseResponse,
): readonly Difference[] {
  const names = ["content-type", "etag", "content-length"]
    // HEAD can omit Content-Length (RFC 9110 section 9.3.2).
    .filter((name) => name !== "content-length" || head.headers.has(name));
  const headers = names.map((name) => [name, get.headers.get(name)] as const);
  const expected = { status: get.status, headers: Object.fromEntries(headers) };
  return compare(expected, head).map((difference) => (
    { ...difference, expected: `${difference.expected} as for GET` }
  ));
}

function isHeader(
  expected: HeaderRequirement,
  value: string | null,
): boolean {
  if (expected === null || typeof expected === "string") {
    return value === expected;
  }
  if ("text" in expected) {
    const { pattern, excluded } = expected;
    return (!pattern || pattern.test(value ?? "")) &&
      !excluded?.test(value ?? "");
  }
  const members = toList(value ?? "", ",");
  // A list can have other members unless these contradict the required ones.
  if (expected.includes("private") && members.includes("public")) return false;
  return expected.every((each) =>
    toList(each, "|").some((name) => members.includes(name))
  );
}

/** Splits a list and ignores letter case, as the contract does in all its lists. */
function toList(value: string, separator: string): readonly string[] {
  return value.toLowerCase().split(separator).map((each) => each.trim());
}

function showHeader(expected: HeaderRequirement): string {
  if (expected === null) return "none";
  if (typeof expected === "string") return expected;
  if ("text" in expected) return expected.text;
  return expected.join(", ").replaceAll("|", " or ");
}

/** Parses a body. Text that is not JSON stays as it is. */
function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Returns the first difference between JSON values. Objects can have additional properties. */
function compareValues(
  expected: unknown,
  actual: unknown,
  location: string,
): readonly Difference[] {
  if (matches(expected, actual)) return [];
  if (!isObject(expected) || !isObject(actual)) {
    const place = location.replace(/^\./, "") || "body";
    const [wanted, found] = [show(expected), show(actual)];
    return [{ location: place, expected: wanted, actual: found }];
  }
  const entries = Object.entries(expected);
  // The length comes first: without a plant, those after it differ, too.
  if (Array.isArray(expected)) entries.unshift(["length", expected.length]);
  for (const [name, each] of entries) {
    const place = /^\d/.test(name) ? `[${name}]` : `.${name}`;
    const differences = compareValues(each, actual[name], location + place);
    if (differences.length > 0) return differences;
  }
  return [];
}

/** Whether a value is the expected one. A pattern that matches nothing is optional. */
function matches(expected: unknown, actual: unknown): boolean {
  if (!(expected instanceof RegExp)) return expected === actual;
  const text = actual === undefined ? "" : actual;
  return typeof text === "string" && expected.test(text);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null &&
    !(value instanceof RegExp);
}

function show(value: unknown): string {
  if (value === undefined) return "none";
  if (value instanceof RegExp) return `a match of ${value}`;
  const toPattern = (_: string, each: unknown) =>
    each instanceof RegExp ? "..." : each;
  try {
    return JSON.stringify(value, toPattern);
  } catch {
    return "a value that is nested too deeply";
  }
}
