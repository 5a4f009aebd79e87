import { clearTimeout, setTimeout } from "node:timers";
import type { Client, Connect } from "./client.ts";
import { CHANNEL } from "./schema.ts";

/** Hears when users, tokens or plants have changed. */
export interface Listener {
  /**
   * Whether each change that was made until a moment ago has been told. It is
   * not while the connection is lost, and no later than 5 seconds after it fell
   * silent.
   */
  readonly isUpToDate: boolean;
  close(): void;
}

/** How often the connection is asked whether it is there, in milliseconds. */
const BEAT = 1_000;

/** How old the last answer may be, in milliseconds. */
const TRUST = 4_000;

/**
 * Listens on a connection of its own, which is made again when it is lost.
 *
 * @param onChange Is called when something has changed, or may have.
 */
export function createListener(
  connect: Connect,
  onChange: () => void,
): Listener {
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** When the last question was asked that has been answered. */
  let heard = -Infinity;
  let isClosed = false;

  function lose(lost: Client | undefined): void {
    if (!lost || lost !== client) return;
    client = undefined;
    heard = -Infinity;
    lost.destroy();
  }

  async function beat(): Promise<void> {
    const asked = performance.now();
    let current = client;
    const late = setTimeout(() => lose(current), BEAT * 2);
    try {
      if (current) {
        await current.sql`select 1`;
      } else {
        current = client = connect({
          onNotify: onChange,
          onClose: () => lose(current),
        });
        await current.sql.unsafe(`listen ${CHANNEL}`);
        if (current === client) onChange(); // what was told meanwhile is lost
      }
      if (current === client) heard = asked;
    } catch {
      lose(current);
    }
    clearTimeout(late);
    if (!isClosed) timer = setTimeout(beat, BEAT).unref();
  }
  beat();

  return {
    get isUpToDate() {
      return performance.now() - heard < TRUST;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      lose(client);
    },
  };
}
