/**
 * How long to delay responses, in milliseconds: a number, or a range such as
 * `"200-800"`, from which each delay is chosen at random.
 */
export type Delay = number | string;

/** A range of delays, in milliseconds. */
export interface DelayRange {
  readonly min: number;
  readonly max: number;
}

/** Parses a delay of at most `limit` milliseconds. Returns `undefined` if it is invalid. */
export function parseDelay(
  delay: unknown,
  limit: number,
): DelayRange | undefined {
  if (typeof delay !== "number" && typeof delay !== "string") return undefined;
  const numbers = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(`${delay}`);
  const [, from, to = from] = numbers ?? [];
  const min = Number(from), max = Number(to);
  return min <= max && max <= limit ? { min, max } : undefined;
}

/**
 * Chooses a delay from a range.
 *
 * @param random Returns a number from 0 (inclusive) to 1 (exclusive).
 */
export function chooseDelay(
  { min, max }: DelayRange,
  random: () => number = Math.random,
): number {
  return min + Math.floor(random() * (max - min + 1));
}
