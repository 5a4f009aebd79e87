import process from "node:process";

/** The size of the shorter inputs, the ratio of the sizes, and the maximum ratio of their times. */
const SIZE = 1_000, FACTOR = 8, MAX_RATIO = 24;

/** Returns the CPU time of some calls, in microseconds. */
async function measure(
  run: (text: string) => unknown,
  text: string,
  calls: number,
): Promise<number> {
  const start = process.cpuUsage();
  for (let call = 0; call < calls; call++) {
    try {
      await run(text);
    } catch {
      // Inputs may be invalid.
    }
  }
  const { user, system } = process.cpuUsage(start);
  return Math.max(user + system, 1);
}

/**
 * Returns how many times longer a long input takes than a short one, if it takes more
 * than linear time.
 *
 * @param create Creates an input in a size.
 */
export async function measureSlow(
  run: (text: string) => unknown,
  create: (size: number) => string,
): Promise<number | undefined> {
  const short = create(SIZE), long = create(SIZE * FACTOR);
  let shortTime = Infinity, longTime = Infinity, ratio = Infinity;
  for (let attempt = 0; attempt < 10; attempt++) {
    // As many characters as the long input has, which takes long enough to measure.
    const time = await measure(run, short, FACTOR) / FACTOR;
    shortTime = Math.min(shortTime, time);
    longTime = Math.min(longTime, await measure(run, long, 1));
    ratio = longTime / shortTime;
    if (ratio < FACTOR * 1.5) break; // most inputs are clearly linear
  }
  return ratio > MAX_RATIO ? Math.round(ratio) : undefined;
}
