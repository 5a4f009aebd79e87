import { setImmediate } from "node:timers/promises";

/** The number of turns of the event loop between lists. Node.js accepts a connection per turn. */
const TURNS = 8;

/** Waits while other events are handled, such as new connections and their requests. */
export async function takeTurns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await setImmediate();
}
