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
  const given = quote(name);
  // Short names are close to many others.
  const max = name.replace(/^-+/, "").length > 7 ? 2 : 1;
  const [closest] = known
    .map((each) => ({ each, distance: countDifferences(name, each) }))
    .filter(({ each, distance }) => distance <= max && quote(each) !== given)
    .sort((a, b) => a.distance - b.distance);
  if (!closest) return otherwise && `; ${otherwise}`;
  return `; did you mean ${quote(closest.each)}?`;
}

/** Counts the letters that only one of the names has, whatever their form, case, and order. */
function countDifferences(name: string, other: string): number {
  const rest = [...other.normalize("NFKC").toLowerCase()];
  const missing = [...name.normalize("NFKC").toLowerCase()].filter((letter) => {
    const at = rest.indexOf(letter);
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
  return Math.max(missing.length, rest.length);
}
