import { clearTimeout, setTimeout } from "node:timers";
import { type FileToRead, readFingerprints } from "./read_file.ts";

const INTERVAL_MS = 200;

/**
 * Polls files. Polling works on every file system and detects every way to replace a
 * file. `watchFile` in `node:fs` also polls, but on Deno it misses changes that keep the
 * size and modification time. The timer does not keep the process running.
 *
 * @param read Reads all files. It is called at the check after a change, when they
 * are probably complete, and receives whether this check has found another change.
 * Returns whether all could be read; if not, it is called again at the next check.
 * @returns A promise that resolves to a function that stops watching. It resolves
 * after the first check.
 */
export async function watchFiles(
  files: readonly Pick<FileToRead, "file">[],
  read: (isChanging: boolean) => Promise<boolean>,
): Promise<() => void> {
  let last = await readFingerprints(files);
  let isDue = false, isStopped = false;
  let timer = setTimeout(check, INTERVAL_MS).unref();

  async function check(): Promise<void> {
    const found = await readFingerprints(files);
    if (isStopped) return;
    const isChanging = found !== last;
    last = found;
    if (isDue) isDue = !await read(isChanging);
    isDue ||= isChanging;
    if (!isStopped) timer = setTimeout(check, INTERVAL_MS).unref();
  }

  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
