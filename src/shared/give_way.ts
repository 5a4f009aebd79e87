import type { MaybePromise } from "../core/internal/maybe_promise.ts";

/** How long lists can be encoded before other events are handled, in milliseconds. */
const TURN_MS = 10;

/**
 * Returns a function to call before encoding a list. Once lists have been encoded for
 * 10 ms, calls wait for turns of the event loop, one call after the other, so that
 * health checks do not wait for all lists.
 *
 * @param takeTurn Waits for a turn of the event loop.
 * @param turns The number of turns to wait for after each 10 ms.
 */
export function createGiveWay(
  takeTurn: () => Promise<void>,
  turns: number,
): () => MaybePromise<void> {
  let last = -Infinity;
  let queue = Promise.resolve();
  return () => {
    if (performance.now() - last < TURN_MS) return;
    queue = queue.then(async () => {
      await takeTurn(); // in which the previous list is encoded
      if (performance.now() - last < TURN_MS) return;
      for (let turn = 0; turn < turns; turn++) await takeTurn();
      last = performance.now();
    });
    return queue;
  };
}
