/** A median with its 95% confidence interval. */
export interface Estimate {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 2_000;

function findMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return (sorted[middle]! + sorted[(sorted.length - 1) >> 1]!) / 2;
}

/**
 * Returns the median of `values` with a bootstrap interval, because rounds on a
 * busy machine are not normally distributed.
 */
export function estimate(values: readonly number[]): Estimate {
  const random = createRandom(1);
  const medians = Array.from(
    { length: RESAMPLES },
    () => findMedian(values.map(() => values[random() * values.length | 0]!)),
  ).sort((a, b) => a - b);
  return {
    median: findMedian(values),
    low: medians[RESAMPLES * 0.025]!,
    high: medians[RESAMPLES * 0.975]!,
  };
}

/** Returns a generator of numbers from 0 (inclusive) to 1 (exclusive) that depend only on the seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = state + 0x6d2b79f5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}
