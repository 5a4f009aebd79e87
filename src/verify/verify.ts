/**
 * The HTTP API (docs/http-api.md) as test cases for any implementation: a server in
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
import { type CaseInfo, toInfo } from "./case.ts";
import { select } from "./cases.ts";
import { readVerifyOptions, type VerifyOptions } from "./options.ts";
import { type CaseResult, runTests } from "./runner.ts";
import type { FetchHandler } from "./send_to_handler.ts";

export type { Access } from "../core/domain/access.ts";
export type { Plant } from "../core/domain/plant.ts";
export type { Token, UserRecord } from "../core/domain/user.ts";
export type { CaseInfo, Level } from "./case.ts";
export type { Difference } from "./compare.ts";
export { PLANTS, USERS } from "./data.ts";
export type { VerifyOptions } from "./options.ts";
export type { CaseResult } from "./runner.ts";
export type { FetchHandler } from "./send_to_handler.ts";

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
 * Runs the test cases of the HTTP API one after another and yields their results.
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
  const tests = hasRule ? select(checked.level) : selected;
  yield* runTests(target, tests, checked, selected);
}
