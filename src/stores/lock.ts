import {
  mkdir,
  readFile,
  realpath,
  rmdir,
  stat,
  unlink,
  writeFile,
} from "node:fs/promises";
import { hostname } from "node:os";
import process from "node:process";
import { setTimeout } from "node:timers/promises";

/** A lock this old, in milliseconds, is stale whoever holds it: an edit takes a few of them. */
const MAX_AGE = 10_000;

/** How long, in milliseconds, the edits of others are waited for. */
const PATIENCE = 60_000;

/**
 * Runs `task` while no other process that asks for the same lock runs its own.
 * The lock is a file beside the real one, with the process that holds it; it is
 * stale when that process has ended.
 *
 * @throws {Error} When the lock can't be had.
 */
export async function withLock<T>(
  path: string,
  task: () => Promise<T>,
): Promise<T> {
  const lock = `${await realpath(path)}.lock`;
  const owner = `${process.pid} ${host()} ${crypto.randomUUID()}`;
  const deadline = Date.now() + PATIENCE;
  while (!await take(lock, owner)) {
    if (Date.now() > deadline) {
      throw new Error(`${lock} is held by another process: try again`);
    }
    await setTimeout(5 + Math.random() * 30);
  }
  try {
    return await task();
  } finally {
    await unlink(lock);
  }
}

/** Takes the lock if nobody holds it; clears it away if who held it has ended. */
async function take(lock: string, owner: string): Promise<boolean> {
  try {
    await writeFile(lock, owner, { flag: "wx" });
    return true;
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
  const stale = await findStale(lock);
  if (stale !== undefined) await clear(lock, stale);
  return false;
}

/** Who holds the lock, if it is stale. */
async function findStale(lock: string): Promise<string | undefined> {
  try {
    const owner = await readFile(lock, "utf8");
    const { mtimeMs } = await stat(lock);
    return hasEnded(owner) || Date.now() - mtimeMs > MAX_AGE
      ? owner
      : undefined;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/**
 * Removes a stale lock. One process at a time: between another's look and its
 * removal, the lock could have been cleared and taken anew.
 */
async function clear(lock: string, stale: string): Promise<void> {
  const clearing = `${lock}.clearing`;
  try {
    await mkdir(clearing);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    const { mtimeMs } = await stat(clearing).catch(() => ({ mtimeMs: NaN }));
    if (Date.now() - mtimeMs > MAX_AGE) await rmdir(clearing).catch(() => {});
    return;
  }
  try {
    if (await findStale(lock) === stale) await unlink(lock);
  } finally {
    await rmdir(clearing);
  }
}

function hasEnded(owner: string): boolean {
  const [pid, where] = owner.split(" ");
  if (where !== host()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return hasCode(error, "ESRCH");
  }
}

/** This machine's name: another machine's or container's processes can't be asked after. */
function host(): string {
  return encodeURIComponent(hostname());
}

function hasCode(error: unknown, code: string): boolean {
  return (error as { code?: unknown } | null)?.code === code;
}
