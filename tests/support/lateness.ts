/** How often a timer is tried, in milliseconds; how many times its lateness is allowed. */
const STEP = 20, TIMES = 5;

/**
 * Watches how late timers are on this machine from now on.
 *
 * @returns Gives a promised time and what this machine may need more, in
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
