/**
 * The contract of docs/http-api.md as test cases for any implementation: a server in
 * any language, or a handler.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore } from "plant-store";
 * import { PLANTS, USERS, verify } from "plant-store/verify";
 *
 * const users = USERS.filter(({ expires = "9" }) => expires > "2026")
 *   .map(({ user, token, plants }) => [user, { plants, tokens: [token] }]);
 * const handler = createHandler(
 *   createMemoryStore({ plants: PLANTS, users: Object.fromEntries(users) }),
 * );
 * for await (const { id, differences } of verify(handler, { level: "core" })) {
 *   if (differences.length > 0) console.log(id, differences);
 * }
 * ```
 *
 * @module
 */
import { readOptions } from "../domain/options.ts";
import {
  type Case,
  type CaseInfo,
  type CaseRequest,
  type CaseResponse,
  CASES,
  type Level,
  type Rule,
  RULES,
} from "./cases.ts";
import { type Client, createClient, fillEtag } from "./client.ts";
import { compare, compareHead } from "./compare.ts";
import type { FetchHandler } from "./send_to_handler.ts";

export type { Access } from "../domain/access.ts";
export type { Plant } from "../domain/plant.ts";
export type { CaseInfo, Level } from "./cases.ts";
export { PLANTS, type TestUser, USERS } from "./data.ts";
export type { FetchHandler } from "./send_to_handler.ts";

/** Options for {@linkcode verify}. */
export interface VerifyOptions {
  /** The last level to run. Default: `http`, which runs both levels. */
  readonly level?: Level;
  /** Prefixes of the IDs of the test cases to run. Default: all test cases. */
  readonly only?: readonly string[];
  /** The time limit for each request, in milliseconds. Default: 5000. */
  readonly timeout?: number;
}

/** The result of a test case. */
export interface CaseResult extends CaseInfo {
  /**
   * `skipped` if only a server can receive the request, or if the implementation has
   * stopped responding.
   */
  readonly status: "passed" | "failed" | "skipped";
  /** A curl command that sends the request. */
  readonly request: string;
  /** The differences from the contract, such as `status: expected 400, got 200`. */
  readonly differences: readonly string[];
}

/** The request for all plants, which every implementation accepts. */
const PLAIN: CaseRequest = { headers: [["Authorization", "Bearer all"]] };

/** A request and its response. */
type Exchange = readonly [CaseRequest, CaseResponse];

const LEVELS: readonly Level[] = ["core", "http"];

/**
 * Validates the options.
 *
 * @throws {TypeError} If an option is unknown or invalid.
 */
function resolve(options: VerifyOptions): Required<VerifyOptions> {
  const { level = "http", only = [""], timeout = 5_000 } = readOptions(
    options,
    { level: "unknown?", only: "unknown?", timeout: "unknown?" },
  );
  if (!LEVELS.includes(level)) {
    throw new TypeError(`options: level must be ${LEVELS.join(" or ")}`);
  }
  if (!Array.isArray(only) || only.some((start) => typeof start !== "string")) {
    throw new TypeError("options: only must be an array of strings");
  }
  if (typeof timeout !== "number" || !(timeout > 0 && timeout < 2 ** 31)) {
    throw new TypeError("options: timeout must be a number of milliseconds");
  }
  return { level, only, timeout };
}

/** Returns the selected test cases and rules in the order of their results. */
function select(
  { level, only }: Required<VerifyOptions>,
): readonly (Case | Rule)[] {
  const all = [...CASES, ...RULES].filter(({ id }) =>
    only.some((start) => id.startsWith(start))
  );
  return LEVELS.slice(0, LEVELS.indexOf(level) + 1)
    .flatMap((each) => all.filter(({ level }) => level === each));
}

/**
 * Returns the selected test cases in the order of their results.
 *
 * @throws {TypeError} If an option is unknown or invalid.
 *
 * @example
 * ```ts
 * import { listCases } from "plant-store/verify";
 *
 * const [first] = listCases({ only: ["limit"] });
 * console.log(first);
 * // { id: "limit.two", level: "core", section: 3 }
 * ```
 */
export function listCases(options: VerifyOptions = {}): readonly CaseInfo[] {
  return select(resolve(options))
    .map(({ id, level, section }) => ({ id, level, section }));
}

/**
 * Sends the requests of the contract one after another and yields the result of each
 * test case.
 *
 * @param target The URL of a server, including a base path, or a handler. The server
 * or handler must serve {@linkcode PLANTS} to {@linkcode USERS}.
 * @param options The test cases to run, and the time limit.
 * @throws {TypeError} If an option is unknown or invalid.
 * @throws {Error} After the results, if there was no response at all.
 *
 * @example
 * ```ts
 * import { verify } from "plant-store/verify";
 *
 * const handler = () => Response.json([]);
 * const { value } = await verify(handler, { only: ["list.all"] }).next();
 * console.log(value?.status); // "failed"
 * ```
 */
export async function* verify(
  target: string | URL | FetchHandler,
  options: VerifyOptions = {},
): AsyncGenerator<CaseResult, void, undefined> {
  const read = resolve(options);
  const client = await createClient(target, read.timeout);
  const selected = select(read);
  // A rule checks the responses to all test cases, even to those not selected.
  const hasRule = selected.some((test) => "expect" in test);
  const control = await client.exchange(PLAIN);
  const exchanges: Exchange[] = [];
  for (const test of hasRule ? select({ ...read, only: [""] }) : selected) {
    const isSkipped = "server" in test && typeof target === "function" ||
      client.isSilent();
    const result = "expect" in test
      ? applyRule(test, exchanges, client)
      : isSkipped
      ? toResult(test, client.show(test))
      : await run(test, client, control, exchanges);
    if (selected.includes(test)) yield result;
  }
  if (typeof control === "string" && exchanges.length === 0) {
    throw new Error(control);
  }
}

/** Creates a result. If `found` is absent, the test case was skipped. */
function toResult(
  { id, level, section }: CaseInfo,
  request: string,
  found?: readonly string[],
): CaseResult {
  const differences = found ?? [];
  const result = differences.length === 0 ? "passed" : "failed";
  const status = found ? result : "skipped";
  return { id, level, section, status, request, differences };
}

/** Runs a test case and adds its exchange to `exchanges`. */
async function run(
  test: Case,
  client: Client,
  control: CaseResponse | string,
  exchanges: Exchange[],
): Promise<CaseResult> {
  const { before } = test;
  const needsEtag = test.headers?.some(([, value]) => value.includes("ETAG"));
  const plain = before ?? (needsEtag ? PLAIN : undefined);
  const previous = plain && await client.exchange(plain);
  const etag = typeof previous === "object" && previous.headers.get("etag");
  const request = needsEtag ? fillEtag(test, etag || '""') : test;
  const response = await client.exchange(request);
  const shown = before?.keep ? [before, request] : [request];
  const command = client.show(...shown);
  if (typeof response === "string") return toResult(test, command, [response]);
  if (!test.bare) exchanges.push([request, response]);
  const differences = [...compare(test, response)];
  if (needsEtag && !etag) {
    differences.push("etag: expected one in the previous response, got none");
  }
  if (test.method === "HEAD") {
    const get = await client.exchange({ ...request, method: "GET" });
    differences.push(...compareHead(response, get));
  }
  // A server that rejects every request does not pass.
  const valid = typeof control === "string" ? control : control.status;
  if (response.status >= 400 && differences.length === 0 && valid !== 200) {
    differences.push(`a valid request: expected status 200, got ${valid}`);
  }
  return toResult(test, command, differences);
}

/** Checks the responses that a rule applies to, and reports the first wrong one. */
function applyRule(
  rule: Rule,
  exchanges: readonly Exchange[],
  client: Client,
): CaseResult {
  const checked = exchanges.flatMap(([request, response]) => {
    const expected = rule.expect(request, response);
    if (expected === undefined) return [];
    return [{ request, differences: compare(expected, response) }];
  });
  const wrong = checked.filter(({ differences }) => differences.length > 0);
  const [first = { request: PLAIN, differences: [] }] = wrong;
  const command = client.show(first.request);
  if (checked.length === 0) {
    const missing = ["expected a response to check, got none"];
    return toResult(rule, command, client.isSilent() ? undefined : missing);
  }
  const others = `${wrong.length - 1} of ${checked.length - 1}`;
  const more = `also wrong in ${others} other responses`;
  const differences = [...first.differences, ...wrong.length > 0 ? [more] : []];
  return toResult(rule, command, differences);
}
