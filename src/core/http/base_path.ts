import { quote } from "../internal/quote.ts";
import { parseTarget } from "./target.ts";

/** Segments after slashes. */
const BASE_PATH = /^(?:\/[^/?#\\\s\p{Cc}\p{Cs}]+)+$/u;

/** A segment that a URL parser would remove. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Validates the prefix for all paths.
 *
 * @param basePath The prefix, such as `/api`; empty for none.
 * @param name The name of the option, for messages.
 * @returns The normalized prefix, or `""` if there is none.
 * @throws {RangeError} If the prefix is invalid.
 */
export function resolveBasePath(
  basePath: string | undefined,
  name = "basePath",
): string {
  if (!basePath) return "";
  if (BASE_PATH.test(basePath) && !DOT_SEGMENT.test(basePath)) {
    return parseTarget(basePath).path;
  }
  const expected =
    "a path such as /api, without spaces, ?, #, or a slash at the end";
  throw new RangeError(`${name} must be ${expected}, got ${quote(basePath)}`);
}
