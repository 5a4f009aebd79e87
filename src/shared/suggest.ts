import { quote } from "../core/internal/quote.ts";

/**
 * Returns a hint to append to a message about an unknown name.
 *
 * @param otherwise The hint if no known name is close; empty for none.
 */
export function suggest(
  name: string,
  known: readonly string[],
  otherwise: string,
): string {
  // Short names are close to many others.
  const max = name.replace(/^-+/, "").length > 7 ? 2 : 1;
  const [closest] = known
    .map((each) => ({ each, distance: countDifferences(name, each) }))
    .filter(({ distance }) => distance <= max)
    .sort((a, b) => a.distance - b.distance);
  return closest
    ? `; did you mean ${quote(closest.each)}?`
    : otherwise && `; ${otherwise}`;
}

/** Counts the letters that only one of the names has, whatever their case and order. */
function countDifferences(name: string, other: string): number {
  const rest = [...other.toLowerCase()];
  const missing = [...name.toLowerCase()].filter((letter) => {
    const at = rest.indexOf(letter);
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
  return Math.max(missing.length, rest.length);
}
