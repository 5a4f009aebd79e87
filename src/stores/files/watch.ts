import { clearTimeout, setTimeout } from "node:timers";
import { type File, readFingerprint } from "./read_file.ts";

/** The time between checks. */
const INTERVAL_MS = 200;

/**
 * When to read the files again after a change. On some file systems, times are
 * accurate to two seconds, so a check misses another change within this time.
 */
export const READ_AGAIN_MS = 2_500;

/**
 * Polls files. Polling works on every file system and detects every way to replace a
 * file. `watchFile` in `node:fs` also polls, but on Deno it misses changes that keep the
 * size and modification time. The timer does not keep the process running.
 *
 * @param read Reads the files: after a change, once more later, and at each interval
 * until all of them could be read, which it returns. The next check starts when it has
 * finished.
 * @returns A promise that resolves to a function that stops watching. It resolves
 * after the first check.
 */
export async function watchFiles(
  files: readonly Pick<File, "file">[],
  read: () => Promise<boolean>,
): Promise<() => void> {
  let last = await readFingerprint(files);
  let readAgain = performance.now() + READ_AGAIN_MS;
  let areRead = true;
  let isStopped = false;
  let timer = setTimeout(check, INTERVAL_MS).unref();

  async function check(): Promise<void> {
    const now = await readFingerprint(files);
    if (isStopped) return;
    const hasChanged = now !== last;
    const isDue = performance.now() >= readAgain;
    last = now;
    if (hasChanged) readAgain = performance.now() + READ_AGAIN_MS;
    else if (isDue) readAgain = Infinity;
    if (hasChanged || isDue || !areRead) areRead = await read();
    if (!isStopped) timer = setTimeout(check, INTERVAL_MS).unref();
  }

  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
