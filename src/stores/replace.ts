import { open, realpath, rename, rm, stat } from "node:fs/promises";

/**
 * Puts `bytes` in the place of a file at once: whoever reads it finds the old
 * content or the new one, also when the machine stops or the disk is full. Mode
 * and symlinks are kept, and the owner where the system lets us.
 *
 * @param path The file, which no other process replaces meanwhile.
 * @param assertSafe Is called last, and may throw to leave the file as it is.
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array,
  assertSafe: () => Promise<void>,
): Promise<void> {
  const real = await realpath(path);
  const { mode, uid, gid } = await stat(real);
  // Always the same name: what a process that was killed has left goes here.
  const temporary = `${real}.new`;
  await rm(temporary, { force: true });
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(bytes);
      await file.chmod(mode);
      await file.chown(uid, gid).catch(() => {});
      await file.sync();
    } finally {
      await file.close();
    }
    await assertSafe();
    await rename(temporary, real);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
