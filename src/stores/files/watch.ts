import { clearTimeout, setTimeout } from "node:timers";
import { type FileToRead, readFingerprints } from "./read_file.ts";

/** The time between checks, and in which a changed file must not change again. */
const INTERVAL_MS = 200;

/**
 * When to read the files again after a change. On some file systems, times are
 * accurate to two seconds, so a check misses another change within this time.
 */
export const READ_AGAIN_MS = 2_500;

/** The number of checks in a row with a change after which files are read all the same. */
const MAX_CHANGES = 2;

/**
 * Polls files. Polling works on every file system and detects every way to replace a
 * file. `watchFile` in `node:fs` also polls, but on Deno it misses changes that keep the
 * size and modification time. The timer does not keep the process running.
 *
 * @param read Reads all files after a change, and once more later. Receives the time since
 * the last change in milliseconds, or 0 if the files keep changing. Returns whether all
 * could be read; if not, it is called again at the next check.
 * @returns A promise that resolves to a function that stops watching. It resolves
 * after the first check.
 */
export async function watchFiles(
  files: readonly Pick<FileToRead, "file">[],
  read: (unchangedMs: number) => Promise<boolean>,
): Promise<() => void> {
  let last = await readFingerprints(files);
  let changedAt = performance.now();
  /** The number of checks in a row that found a change. */
  let changes = 0;
  /** When to read the files. */
  let due = [changedAt + READ_AGAIN_MS];
  let areRead = true;
  let isStopped = false;
  let timer = setTimeout(check, INTERVAL_MS).unref();

  async function check(): Promise<void> {
    const found = await readFingerprints(files);
    if (isStopped) return;
    const now = performance.now();
    changes = found === last ? 0 : changes + 1;
    last = found;
    if (changes > 0) {
      changedAt = now;
      due = [now, now + READ_AGAIN_MS]; // at the next check, unless they change again
    }
    const isDue = !areRead || due.some((time) => time <= now);
    if (isDue && changes % MAX_CHANGES === 0) {
      due = due.filter((time) => time > now);
      areRead = await read(now - changedAt);
    }
    if (!isStopped) timer = setTimeout(check, INTERVAL_MS).unref();
  }

  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
