import { clearTimeout, setTimeout } from "node:timers";
import type { FileSource } from "./file_source.ts";
import { readFingerprint } from "./read_file.ts";

/** The time between checks of an unchanged file. */
const INTERVAL_MS = 200;

/**
 * When to read a file again after it has changed. On some file systems, times are
 * accurate to two seconds, so a check misses another change within this time.
 */
const READ_AGAIN_MS = 2_500;

/** The time between checks of a changing file, and the maximum number of these checks. */
const CHANGING_MS = 50, MAX_CHECKS = 10;

/**
 * Polls a file. Calls `onChange` when the file has changed and is no longer being
 * written, once more later, and at each interval while it is unread. Polling works on every file
 * system and detects every way to replace a file. `watchFile` in `node:fs` also
 * polls, but on Deno it misses changes that keep the size and modification time.
 * The timer does not keep the process running.
 *
 * @param onChange Reads the file. The next check starts when it has finished.
 * @returns A promise that resolves to a function that stops watching. It resolves
 * after the first check.
 */
export async function watchFile(
  source: Pick<FileSource<unknown>, "file" | "hasReadError">,
  onChange: () => Promise<void>,
): Promise<() => void> {
  let last = await readFingerprint(source.file);
  let checks = 0;
  let readAgain = performance.now() + READ_AGAIN_MS;
  let isStopped = false;
  let timer = setTimeout(check, INTERVAL_MS).unref();

  async function check(): Promise<void> {
    const now = await readFingerprint(source.file);
    if (isStopped) return;
    const hasChanged = now !== last;
    last = now;
    const isLate = performance.now() >= readAgain;
    if (hasChanged) readAgain = performance.now() + READ_AGAIN_MS;
    else if (isLate) readAgain = Infinity;
    if (hasChanged && checks < MAX_CHECKS) {
      checks++;
    } else if (checks > 0 || source.hasReadError || isLate) {
      checks = 0;
      await onChange();
      if (isStopped) return;
    }
    timer = setTimeout(check, checks > 0 ? CHANGING_MS : INTERVAL_MS).unref();
  }

  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
