import { clearTimeout, setTimeout } from "node:timers";
import { type FileToRead, readFingerprints } from "./read_file.ts";

/** The time between checks, and in which a changed file must not change again. */
const INTERVAL_MS = 200;

/**
 * When to read the files again after a change. On some file systems, times are
 * accurate to two seconds, so a check misses another change within this time.
 */
export const READ_AGAIN_MS = 2_500;

/** The number of checks for which a changed file waits for another one that is changing. */
const PATIENCE = 2;

/**
 * Polls files. Polling works on every file system and detects every way to replace a
 * file. `watchFile` in `node:fs` also polls, but on Deno it misses changes that keep the
 * size and modification time. The timer does not keep the process running.
 *
 * @param read Reads all files when the changes are complete, once more later, and at each
 * interval until all of them could be read, which it returns; or those that have not
 * changed for a while if others keep changing. The next check starts when it has finished.
 * @returns A promise that resolves to a function that stops watching. It resolves
 * after the first check.
 */
export async function watchFiles<File extends Pick<FileToRead, "file">>(
  files: readonly File[],
  read: (files: readonly File[]) => Promise<boolean>,
): Promise<() => void> {
  let last = await readFingerprints(files);
  /** For each file, the number of checks since its last change. */
  let ages = last.map(() => 0);
  /** When to read the files. */
  let due = [performance.now() + READ_AGAIN_MS];
  let areRead = true;
  let isStopped = false;
  let timer = setTimeout(check, INTERVAL_MS).unref();

  async function check(): Promise<void> {
    const found = await readFingerprints(files);
    if (isStopped) return;
    const now = performance.now();
    ages = ages.map((age, at) => found[at] === last[at] ? age + 1 : 0);
    last = found;
    if (ages.includes(0)) {
      due = [now, now + READ_AGAIN_MS]; // at the next check, unless they change again
      const complete = files.filter((_, at) => ages[at] === PATIENCE);
      if (complete.length > 0) await read(complete);
    } else if (!areRead || due.some((time) => time <= now)) {
      due = due.filter((time) => time > now);
      areRead = await read(files);
    }
    if (!isStopped) timer = setTimeout(check, INTERVAL_MS).unref();
  }

  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
