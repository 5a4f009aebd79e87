/** A median, the extremes, and between what it lies with 95% confidence. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** The bounds of the interval; undefined where there are too few values for one. */
  readonly low?: number;
  readonly high?: number;
}

/** How often the values are drawn again for the interval. */
const RESAMPLES = 10_000;

/** Below this many values a bootstrap says less than the extremes do. */
const ENOUGH = 5;

/** The middle of `values`. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("there are no values");
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? sorted[middle]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * What `values` say. The interval is a bootstrap of the median: rounds of a
 * noisy machine are anything but normally distributed.
 */
export function spread(values: readonly number[]): Spread {
  const extremes = {
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
  };
  if (values.length < ENOUGH) return extremes;
  const random = createRandom(1);
  const medians = Array.from(
    { length: RESAMPLES },
    () => median(values.map(() => values[random() * values.length | 0]!)),
  ).sort((a, b) => a - b);
  return {
    ...extremes,
    low: medians[RESAMPLES * 0.025]!,
    high: medians[RESAMPLES * 0.975]!,
  };
}

/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = state + 0x6d2b79f5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}
