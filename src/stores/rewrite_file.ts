import {
  type FileHandle,
  open,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { explain } from "./read_file.ts";

/** The age at which a lock counts as abandoned. An edit takes milliseconds. */
const MAX_LOCK_AGE_MS = 10_000;

/** The time between attempts to create a lock. */
const RETRY_MS = 20;

/**
 * Replaces the content of a file atomically, as Git does with `index.lock`: creates
 * a lock file next to it, writes the new content to the lock file, and renames it
 * over the original. Other writers wait; readers see either the old content or the
 * new content. Keeps the mode, symlinks, and, if the system allows it, the owner.
 *
 * @param path The path of the file.
 * @param rewrite Called while the file is locked; returns the new content.
 * @throws {Error} If the file cannot be locked or written.
 */
export async function rewriteFile(
  path: string,
  rewrite: () => Promise<Uint8Array>,
): Promise<void> {
  const real = await realpath(path);
  const { mode, uid, gid } = await stat(real);
  const lock = `${real}.lock`;
  const file = await createLock(lock, mode);
  try {
    try {
      await file.writeFile(await rewrite());
      await file.chmod(mode);
      await file.chown(uid, gid).catch(() => {});
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(lock, real);
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  }
}

/** Creates the lock as soon as no other process holds it. */
async function createLock(lock: string, mode: number): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(lock, "wx", mode);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
        throw new Error(`cannot write "${lock}": ${explain(error as Error)}`);
      }
    }
    const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
    // The clock of a file server can be ahead of the local clock.
    if (Math.abs(Date.now() - mtimeMs) > MAX_LOCK_AGE_MS) {
      throw new Error(
        `"${lock}" was left behind by an edit that did not finish; delete it if no other command is running`,
      );
    }
    await setTimeout(RETRY_MS);
  }
}
