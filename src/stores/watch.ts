import { stat } from "node:fs/promises";
import { clearTimeout, setTimeout } from "node:timers";

/** How often a file is looked at, in milliseconds; how soon again while it changes, and how often at most. */
const INTERVAL = 200, SETTLING = 50, MAX_LOOKS = 10;

/**
 * Looks at a file from time to time, without holding the process, and calls
 * `onChange` once it is another than before and stays so: a file that is being
 * written is left alone. Polling works on every file system and sees each way of
 * putting a file in the place of another. `watchFile` of `node:fs` polls too, but
 * misses on Deno a file that changes within its size and modification time.
 *
 * @returns Ends the watch. Resolves once the file has been looked at.
 */
export async function watchPath(
  path: string,
  onChange: () => void,
): Promise<() => void> {
  let last = await identify(path);
  let looks = 0;
  let isOver = false;
  let timer = setTimeout(look, INTERVAL).unref();

  async function look(): Promise<void> {
    const now = await identify(path);
    if (isOver) return;
    const isNews = now !== last;
    last = now;
    if (isNews && looks < MAX_LOOKS) {
      looks++;
    } else if (looks > 0) {
      looks = 0;
      onChange();
    }
    timer = setTimeout(look, looks > 0 ? SETTLING : INTERVAL).unref();
  }

  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Text that is another when the file, or what keeps it from being read, is another. */
async function identify(path: string): Promise<string> {
  try {
    const found = await stat(path, { bigint: true });
    const { dev, ino, mode, size, mtimeNs, ctimeNs } = found;
    return [dev, ino, mode, size, mtimeNs, ctimeNs].join(" ");
  } catch (error) {
    return String(error);
  }
}
