import type { MaybePromise } from "../core/internal/maybe_promise.ts";

/** How long lists can be encoded before other events are handled, in milliseconds. */
const TURN_MS = 10;

/** The number of turns of the event loop between lists. Node.js accepts a connection per turn. */
const TURNS = 8;

/**
 * Returns a function to call before a list is encoded. Each call waits for its own
 * turns of the event loop, unless turns have just passed. Otherwise, health checks would
 * wait until all lists are encoded.
 *
 * @param takeTurn Waits for a turn of the event loop.
 */
export function createGiveWay(
  takeTurn: () => Promise<void>,
): () => MaybePromise<void> {
  let last = -Infinity;
  let turns = Promise.resolve();
  return () => {
    if (performance.now() - last < TURN_MS) return;
    turns = turns.then(async () => {
      for (let turn = 0; turn < TURNS; turn++) await takeTurn();
      last = performance.now();
    });
    return turns;
  };
}
