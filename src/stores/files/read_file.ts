import { readFile as readBytes, stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { StoreFileError } from "./file_error.ts";

/** The maximum number of times to read a file that keeps changing. */
const MAX_READS = 20;

/** The time between reads of a file that keeps changing. */
const RETRY_MS = 25;

/** The maximum size of a file that is served, in bytes. */
export const MAX_SIZE = 16_000_000;

/**
 * Reads a file, and rereads it if it changes during the read.
 *
 * @param file The path of the file.
 * @param path The path to show in errors.
 * @param maxSize The maximum size of the file, in bytes.
 * @throws {StoreFileError} If the file cannot be read, or is too large.
 */
export async function readFile(
  file: string,
  path: string = file,
  maxSize: number = MAX_SIZE,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    for (let reads = 1;; reads++) {
      const before = await readFingerprint(file);
      const found = await stat(file);
      // Reading a pipe or a device may never end.
      if (!found.isFile() && !found.isDirectory()) {
        throw new Error("not a regular file");
      }
      if (found.size > maxSize) {
        const hint = maxSize === MAX_SIZE
          ? "; to serve more, use a database"
          : "";
        throw new Error(`larger than ${maxSize / 1_000_000} MB${hint}`);
      }
      const bytes = await readBytes(file) as Uint8Array<ArrayBuffer>;
      if (reads === MAX_READS || before === await readFingerprint(file)) {
        return bytes;
      }
      await setTimeout(RETRY_MS);
    }
  } catch (error) {
    const message = explainFileError(error as Error);
    throw new StoreFileError([{ path, message }]);
  }
}

/** Returns a string that changes if the status of a file, or the error from reading it, changes. */
export async function readFingerprint(path: string): Promise<string> {
  try {
    const found = await stat(path, { bigint: true });
    const { dev, ino, mode, size, mtimeNs, ctimeNs } = found;
    return [dev, ino, mode, size, mtimeNs, ctimeNs].join(" ");
  } catch (error) {
    return String(error);
  }
}

/** Explains why a file cannot be read or written. */
export function explainFileError(
  { code, message }: Error & { readonly code?: string },
): string {
  switch (code) {
    case "ENOENT":
      return "file not found";
    case "EISDIR":
      return "is a directory";
    case "ENOTDIR":
      return "a part of the path is not a directory";
    case "ELOOP":
      return "too many symbolic links";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EROFS":
      return "read-only file system";
    case "ENOSPC":
    case "EDQUOT":
      return "no space left";
    default: // on Deno, it names the missing permission, if any
      return message;
  }
}
