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
import { explain } from "./read.ts";

/** When a lock is stale whose owner can't be asked after, in milliseconds: an edit takes a few of them. */
const MAX_AGE = 30_000;

/** When a lock is stale whose owner ended before it could say who it is. */
const MAX_AGE_UNNAMED = 1_000;

/** How long, in milliseconds, the edits of others are waited for. */
const PATIENCE = 60_000;

/**
 * Runs `task` while no other process that asks for the same lock runs its own.
 * The lock is a file beside the real one, with the process that holds it; it is
 * stale when that process has ended.
 *
 * @param path The file that is locked.
 * @param task Is given a function that throws when the lock was taken away, to
 * be called before what can't be undone.
 * @throws {Error} When the lock can't be had, or was lost.
 */
export async function withLock<T>(
  path: string,
  task: (assertHeld: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const lock = `${await realpath(path)}.lock`;
  const owner = `${process.pid} ${host()} ${crypto.randomUUID()}`;
  const deadline = Date.now() + PATIENCE;
  while (!await take(lock, owner)) {
    if (Date.now() > deadline) {
      throw new Error(
        `${lock} is held by another process: remove it if none is at work`,
      );
    }
    await setTimeout(5 + Math.random() * 30);
  }
  const isHeld = async () => await readOwner(lock) === owner;
  try {
    return await task(async () => {
      if (!await isHeld()) throw new Error(`${lock} was lost: try again`);
    });
  } finally {
    if (await isHeld()) await unlink(lock);
  }
}

/** Takes the lock if nobody holds it; clears it away if who held it has ended. */
async function take(lock: string, owner: string): Promise<boolean> {
  try {
    await writeFile(lock, owner, { flag: "wx" });
    return true;
  } catch (error) {
    if (!hasCode(error, "EEXIST")) {
      const why = explain(error as Error);
      throw new Error(`${lock} cannot be written: ${why}`);
    }
  }
  const stale = await findStale(lock);
  if (stale !== undefined) await clear(lock, stale);
  return false;
}

/** Who holds the lock, as it stands in it; undefined when nobody does. */
async function readOwner(lock: string): Promise<string | undefined> {
  try {
    return await readFile(lock, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw new Error(`${lock} is no lock: remove it`);
  }
}

/** Who holds the lock, if it is stale. */
async function findStale(lock: string): Promise<string | undefined> {
  const owner = await readOwner(lock);
  const found = await stat(lock).catch(() => undefined);
  if (owner === undefined || !found) return undefined;
  // The clock of a file server may be ahead.
  const age = Math.abs(Date.now() - found.mtimeMs);
  const isStale = owner === ""
    ? age > MAX_AGE_UNNAMED
    : isHere(owner)
    ? hasEnded(owner)
    : age > MAX_AGE;
  return isStale ? owner : undefined;
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
    if (Date.now() - mtimeMs > MAX_AGE_UNNAMED) {
      await rmdir(clearing).catch(() => {});
    }
    return;
  }
  try {
    if (await findStale(lock) === stale) await unlink(lock);
  } finally {
    await rmdir(clearing).catch(() => {});
  }
}

/** Whether the owner of a lock is a process of this machine. */
function isHere(owner: string): boolean {
  return owner.split(" ")[1] === host();
}

function hasEnded(owner: string): boolean {
  try {
    process.kill(Number(owner.split(" ")[0]), 0);
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
