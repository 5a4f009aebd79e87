import { quote } from "../internal/quote.ts";
import { parseTarget } from "./target.ts";

/** What a prefix must not contain, and the rule that it breaks. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/^[^/]/, "start with /"],
  [/\/(?:\/|$)/, "not contain // or end with /"],
  [/[?#\\\s\p{Cc}\p{Cs}]/u, "not contain ?, #, \\, or spaces"],
  // A URL parser removes dot segments.
  [/\/(?:\.|%2e){1,2}(?:\/|$)/i, "not contain . or .."],
];

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
  const broken = RULES.find(([pattern]) => pattern.test(basePath));
  if (broken) {
    throw new RangeError(
      `${name} must ${broken[1]}, got ${quote(basePath)}`,
    );
  }
  return parseTarget(basePath).path;
}
