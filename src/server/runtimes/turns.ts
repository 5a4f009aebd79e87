import { setImmediate } from "node:timers/promises";

/**
 * Returns a function that waits for a turn of the event loop, in which no other call
 * continues. If each list waits before its next chunk, other requests are handled in
 * between, however many lists there are.
 */
export function createTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => last = last.then(() => setImmediate());
}
