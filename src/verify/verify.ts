/**
 * The contract of docs/http-api.md as test cases for any implementation: a server in
 * any language, or a handler.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore } from "plant-store";
 * import { PLANTS, USERS, verify } from "plant-store/verify";
 *
 * const store = createMemoryStore({ plants: PLANTS, users: USERS });
 * const results = verify(createHandler(store), { level: "core" });
 * for await (const { status, title, differences } of results) {
 *   if (status === "failed") console.log(title, differences);
 * }
 * ```
 *
 * @module
 */
import { readOptions } from "../core/internal/read_options.ts";
import { quote } from "../core/internal/quote.ts";
import { type CaseInfo, type Level, toInfo } from "./case.ts";
import { select } from "./cases.ts";
import { type CaseResult, runTests } from "./runner.ts";
import type { FetchHandler } from "./send_to_handler.ts";

export type { Access } from "../core/domain/access.ts";
export type { Plant } from "../core/domain/plant.ts";
export type { Token, UserRecord } from "../core/domain/user.ts";
export type { CaseInfo, Level } from "./case.ts";
export type { Difference } from "./compare.ts";
export { PLANTS, USERS } from "./data.ts";
export type { CaseResult } from "./runner.ts";
export type { FetchHandler } from "./send_to_handler.ts";

/** Options for {@linkcode verify}. */
export interface VerifyOptions {
  /** The last level to run. Default: `http`, which runs both levels. */
  readonly level?: Level;
  /** Prefixes of the IDs of the test cases to run. Default: all test cases. */
  readonly only?: readonly string[];
  /** Prefixes of the IDs of the test cases to skip. Default: none. */
  readonly skip?: readonly string[];
  /** Whether to skip everything after the first test case that fails. */
  readonly bail?: boolean;
  /** The time limit for each request, in milliseconds. Default: 5000. */
  readonly timeout?: number;
  /** Headers to add to each request, for example, one that a gateway needs. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The token of each user, if it is not the one in {@linkcode USERS}. Test cases of
   * users without a token are skipped.
   */
  readonly tokens?: Readonly<Record<string, string>>;
}

/**
 * Validates the options.
 *
 * @throws {TypeError} If an option is unknown or invalid.
 */
function readVerifyOptions(options: VerifyOptions) {
  const { level = "http", only = [""], skip = [], timeout = 5_000, ...others } =
    readOptions(options, {
      level: "unknown?",
      only: "unknown?",
      skip: "unknown?",
      bail: "boolean?",
      timeout: "unknown?",
      headers: "object?",
      tokens: "object?",
    });
  if (level !== "core" && level !== "http") {
    throw new TypeError("options: level must be core or http");
  }
  for (const [name, prefixes] of Object.entries({ only, skip })) {
    const isList = Array.isArray(prefixes) &&
      prefixes.every((prefix) => typeof prefix === "string");
    if (!isList) {
      throw new TypeError(`options: ${name} must be an array of strings`);
    }
    const unknown = prefixes.find((each) => select(level, [each]).length === 0);
    if (unknown === undefined) continue;
    throw new TypeError(
      `no test case of level ${level} has an ID that starts with ${
        quote(unknown)
      }`,
    );
  }
  if (typeof timeout !== "number" || !(timeout > 0 && timeout < 2 ** 31)) {
    throw new TypeError("options: timeout must be a number of milliseconds");
  }
  return { level, only, skip, timeout, ...others };
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
 * console.log(first?.title); // "?limit=2 returns the first two plants"
 * ```
 */
export function listCases(options: VerifyOptions = {}): readonly CaseInfo[] {
  const { level, only } = readVerifyOptions(options);
  return select(level, only).map(toInfo);
}

/**
 * Runs the test cases of the contract one after another and yields their results.
 *
 * @param target The URL of a server, including a base path, or a handler. The server
 * or handler must serve {@linkcode PLANTS} to {@linkcode USERS}.
 * @param options The test cases to run, and how to send them.
 * @throws {TypeError} If an option is unknown or invalid.
 * @throws {Error} If the response to the first request is missing or not from this API,
 * or if it shows that a server does not have the test data.
 *
 * @example
 * ```ts
 * import { verify } from "plant-store/verify";
 *
 * const handler = () => Response.json([]);
 * const { value } = await verify(handler, { only: ["list.all"] }).next();
 * console.log(value?.differences);
 * // [{ location: "length", expected: "7", actual: "0" }]
 * ```
 */
export async function* verify(
  target: string | URL | FetchHandler,
  options: VerifyOptions = {},
): AsyncGenerator<CaseResult, void, undefined> {
  const checked = readVerifyOptions(options);
  const selected = select(checked.level, checked.only);
  // A rule checks the responses to all test cases, even to those not selected.
  const hasRule = selected.some(({ kind }) => kind === "rule");
  const tests = hasRule ? select(checked.level, [""]) : selected;
  yield* runTests(target, tests, checked, selected);
}
