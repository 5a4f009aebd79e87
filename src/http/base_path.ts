import { quote } from "../domain/quote.ts";
import { parseTarget } from "./target.ts";

/** Non-empty segments without delimiters, spaces, or control characters. */
const SEGMENTS = /^(?:\/[^/?#\\\s\p{Cc}]+)+$/u;

/** A dot segment, which a URL parser removes. */
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
  if (
    !SEGMENTS.test(basePath) || DOT_SEGMENT.test(basePath) ||
    !basePath.isWellFormed()
  ) {
    throw new RangeError(
      `${name} must be a path such as /api that starts with a slash and does not end with one, got ${
        quote(basePath)
      }`,
    );
  }
  return parseTarget(basePath).path;
}
