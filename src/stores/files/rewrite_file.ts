import { execFile } from "node:child_process";
import {
  type FileHandle,
  link,
  open,
  realpath,
  rename,
  rm,
  stat,
  utimes,
} from "node:fs/promises";
import { clearInterval, setInterval } from "node:timers";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { explainFileError } from "./read_file.ts";

/** The age at which a lock counts as abandoned. */
const MAX_LOCK_AGE_MS = 10_000;

/** The time between updates of the lock's age while an edit is in progress. */
const REFRESH_MS = 2_000;

/** The time between attempts to create a lock. */
const RETRY_MS = 20;

/**
 * Replaces the content of a file atomically, as Git does with `index.lock`: creates
 * a lock file next to it, writes the new content to the lock file, and renames it
 * over the original. Other writers wait; readers see either the old content or the
 * new content. Keeps the mode, symlinks, the group, and, if the system allows it,
 * the owner.
 *
 * @param path The path of the file.
 * @param rewrite Called while the file is locked; returns the new content.
 * @throws {Error} If the file cannot be locked or written, or if someone who can
 * read the file might lose access.
 */
export async function rewriteFile(
  path: string,
  rewrite: () => Promise<Uint8Array>,
): Promise<void> {
  const real = await realpath(path);
  await withLock(real, 0o600, async (file) => {
    await keepAccess(file, real);
    return await rewrite();
  }, rename);
}

/**
 * Creates a file with its whole content, or not at all.
 *
 * @throws {Error} If something exists at `path`, or the file cannot be written.
 */
export async function createFile(
  path: string,
  content: Uint8Array,
): Promise<void> {
  await withLock(path, 0o666, () => Promise.resolve(content), linkNew);
}

/** Renames a file, unless something exists at the new path, such as a broken symlink. */
async function linkNew(path: string, newPath: string): Promise<void> {
  try {
    await link(path, newPath);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") {
      throw new Error("file already exists");
    }
    return await rename(path, newPath); // some file systems have no hard links
  }
  await rm(path);
}

/**
 * Locks a file, and writes what `write` returns.
 *
 * @param publish Moves the complete content from the lock to the file.
 */
async function withLock(
  path: string,
  mode: number,
  write: (file: FileHandle) => Promise<Uint8Array>,
  publish: (lock: string, path: string) => Promise<void>,
): Promise<void> {
  const lock = `${path}.lock`;
  const file = await createLock(lock, mode);
  const refresh = setInterval(() => {
    utimes(lock, new Date(), new Date()).catch(() => {});
  }, REFRESH_MS);
  try {
    try {
      const content = await write(file);
      await file.writeFile(content).catch(throwWriteError(path));
      await file.sync().catch(throwWriteError(path));
    } finally {
      clearInterval(refresh);
      await file.close();
    }
    await publish(lock, path).catch(throwWriteError(path));
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  }
}

function throwWriteError(path: string): (error: Error) => never {
  return (error) => {
    throw new Error(`cannot write "${path}": ${explainFileError(error)}`);
  };
}

/**
 * Gives a new file the mode, group, and owner of the file that it replaces.
 *
 * @throws {Error} If someone who can read the file might lose access.
 */
async function keepAccess(file: FileHandle, path: string): Promise<void> {
  const { mode, uid, gid } = await stat(path);
  await file.chmod(mode).catch(throwWriteError(path));
  await file.chown(uid, gid).catch(async () => {
    // Only root can change the owner. Members of a group can set the group.
    const { uid } = await file.stat();
    await file.chown(uid, gid).catch(() => {});
  });
  const now = await file.stat();
  const isForAll = (mode & 0o044) === 0o044;
  const isForOwner = now.uid === uid || uid === 0 ||
    (mode & 0o040) !== 0 && await isMember(uid, gid);
  if (isForAll || now.gid === gid && isForOwner) return;
  const [who, id] = now.gid === gid
    ? ["owner", `user ${uid}`]
    : ["group", `${gid}`];
  throw new Error(
    `cannot keep the ${who} (${id}) of "${path}", so the ${who} might lose access; run the command as user ${uid} or as root`,
  );
}

/** Whether the system knows that a user is a member of a group. */
async function isMember(uid: number, gid: number): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)("id", ["-G", `${uid}`]);
    return stdout.trim().split(" ").includes(`${gid}`);
  } catch {
    return false;
  }
}

/** Creates the lock as soon as no other process holds it. */
async function createLock(lock: string, mode: number): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(lock, "wx", mode);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
        throw new Error(
          `cannot write "${lock}": ${explainFileError(error as Error)}`,
        );
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
