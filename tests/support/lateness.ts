/** The interval of the timer in milliseconds, and the factor for its delay. */
const STEP = 20, TIMES = 5;

/**
 * Starts to measure by how much this machine delays timers.
 *
 * @returns Adds time for these delays to a time limit in milliseconds.
 */
export function watchLateness(): (limit: number) => number {
  let latest = 0;
  let due = performance.now() + STEP;
  setInterval(() => {
    const now = performance.now();
    latest = Math.max(latest, now - due);
    due = now + STEP;
  }, STEP).unref();
  return (limit) => limit + TIMES * latest;
}
