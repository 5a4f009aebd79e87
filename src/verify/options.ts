import { quote } from "../core/internal/quote.ts";
import { readOptions } from "../core/internal/read_options.ts";
import type { Level } from "./case.ts";
import { select } from "./cases.ts";

/** Options for {@linkcode verify}. */
export interface VerifyOptions {
  /** The last level to run. Default: `http`, which runs both levels. */
  readonly level?: Level | undefined;
  /** The IDs of the test cases to run, or their first words. Default: all test cases. */
  readonly only?: readonly string[] | undefined;
  /** The IDs of the test cases to skip, or their first words. Default: none. */
  readonly skip?: readonly string[] | undefined;
  /** Whether to skip everything after the first test case that fails. */
  readonly bail?: boolean | undefined;
  /** The time limit for each request, in milliseconds. Default: 5000. */
  readonly timeout?: number | undefined;
  /** Headers to add to each request, for example, one that a gateway needs. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The token of each user, if it is not the one in {@linkcode USERS}. Test cases of
   * users without a token are skipped.
   */
  readonly tokens?: Readonly<Record<string, string>> | undefined;
}

/**
 * Validates the options.
 *
 * @throws {TypeError} If an option is unknown or invalid.
 */
export function readVerifyOptions(
  options: VerifyOptions,
): VerifyOptions & { readonly level: Level } {
  const read = readOptions(options, {
    level: "unknown?",
    only: "unknown?",
    skip: "unknown?",
    bail: "boolean?",
    timeout: "unknown?",
    headers: "object?",
    tokens: "object?",
  });
  const { level = "http", only, skip, timeout = 5_000 } = read;
  if (level !== "core" && level !== "http") {
    throw new TypeError("options: level must be core or http");
  }
  for (const [name, ids = []] of Object.entries({ only, skip })) {
    if (!Array.isArray(ids) || !ids.every((id) => typeof id === "string")) {
      throw new TypeError(`options: ${name} must be an array of strings`);
    }
    const unknown = ids.find((id) => select(level, [id]).length === 0);
    if (unknown === undefined) continue;
    throw new TypeError(
      `no test case of level ${level} has an ID that starts with the words ${
        quote(unknown)
      }`,
    );
  }
  if (typeof timeout !== "number" || !(timeout > 0 && timeout < 2 ** 31)) {
    throw new TypeError("options: timeout must be a number of milliseconds");
  }
  return { ...read, level };
}
