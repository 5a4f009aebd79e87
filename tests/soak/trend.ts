/** A line through points, and between what its slope lies with 95% confidence. */
export interface Trend {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
}

/** Fits a line by least squares. */
export function fit(
  points: readonly (readonly [x: number, y: number])[],
): Trend {
  const count = points.length;
  if (count < 3) throw new RangeError("three points are needed");
  const mean = (index: 0 | 1) =>
    points.reduce((sum, point) => sum + point[index], 0) / count;
  const x0 = mean(0), y0 = mean(1);
  let xx = 0, xy = 0;
  for (const [x, y] of points) {
    xx += (x - x0) ** 2;
    xy += (x - x0) * (y - y0);
  }
  const slope = xy / xx;
  const rest = points.reduce(
    (sum, [x, y]) => sum + (y - y0 - slope * (x - x0)) ** 2,
    0,
  );
  const margin = student(count - 2) * Math.sqrt(rest / (count - 2) / xx);
  return { slope, low: slope - margin, high: slope + margin };
}

/** The 97.5% quantile of Student's distribution, by the expansion of Cornish and Fisher. */
function student(freedom: number): number {
  const z = 1.959964;
  return z + (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3);
}
