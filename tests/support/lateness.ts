/** The interval of the timer in milliseconds, and the factor for its lateness. */
const STEP = 20, TIMES = 5;

/**
 * Measures how late timers are on this machine.
 *
 * @returns A function that adds an allowance for a slow machine to a duration in
 * milliseconds.
 */
export function watchLateness(): (promised: number) => number {
  let latest = 0;
  let due = performance.now() + STEP;
  setInterval(() => {
    const now = performance.now();
    latest = Math.max(latest, now - due);
    due = now + STEP;
  }, STEP).unref();
  return (promised) => promised + TIMES * latest;
}
