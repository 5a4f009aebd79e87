/** The slope of a line through values, and its 95% confidence interval. */
export interface Trend {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
}

/** Fits a line through at least three values at equal distances by least squares. */
export function fit(values: readonly number[]): Trend {
  const count = values.length;
  const middle = (count - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  let xx = 0, xy = 0;
  for (const [x, y] of values.entries()) {
    xx += (x - middle) ** 2;
    xy += (x - middle) * (y - mean);
  }
  const slope = xy / xx;
  let squares = 0;
  for (const [x, y] of values.entries()) {
    squares += (y - mean - slope * (x - middle)) ** 2;
  }
  const margin = student(count - 2) * Math.sqrt(squares / (count - 2) / xx);
  return { slope, low: slope - margin, high: slope + margin };
}

/** The 97.5% quantile of Student's distribution, by the Cornish-Fisher expansion. */
function student(freedom: number): number {
  const z = 1.959964;
  return z + (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3);
}
