import { levenshteinDistance } from "@std/text/levenshtein-distance";
import { quote } from "./quote.ts";

/**
 * Returns a hint to append to a message about an unknown name.
 *
 * @param otherwise The hint if no known name is close. Default: all known names.
 */
export function suggest(
  name: string,
  known: readonly string[],
  otherwise = `use ${known.join(", ")}`,
): string {
  const max = name.length > 7 ? 2 : 1; // short names are close to many others
  const [closest] = known
    // The distance of a long name takes quadratic time.
    .filter(({ length }) => Math.abs(length - name.length) <= max)
    .map((each) => ({ each, distance: measureDistance(name, each) }))
    .filter(({ distance }) => distance <= max)
    .sort((a, b) => a.distance - b.distance);
  return closest ? `; did you mean ${quote(closest.each)}?` : `; ${otherwise}`;
}

/** Counts the edits between two names, ignoring case. A different order is one edit. */
function measureDistance(...names: [string, string]): number {
  const [a, b] = names.map((name) => name.toLowerCase()) as [string, string];
  const [sortedA, sortedB] = [a, b].map((name) => [...name].sort().join(""));
  return a !== b && sortedA === sortedB ? 1 : levenshteinDistance(a, b);
}
