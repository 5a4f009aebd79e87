import { readFile, stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { StoreFileError } from "./file_error.ts";

/** The maximum number of times to read files that keep changing, and the time between. */
const MAX_READS = 5, RETRY_MS = 10;

/** The maximum size of a file that is served, in bytes. */
export const MAX_SIZE = 16_000_000;

export interface FileToRead {
  /** The path to read. */
  readonly file: string;
  /** The path to show in errors. */
  readonly path: string;
  /** The maximum size, in bytes. */
  readonly maxSize: number;
}

export type Content = Uint8Array | StoreFileError;

/**
 * Reads files at one point in time: if one of them changes, all are read again. So a
 * file that is being written is not read in part, and if a symbolic link to the folder
 * of the files is switched, their versions are not mixed. Files that keep changing are
 * read as they are.
 */
export async function readFiles(
  files: readonly FileToRead[],
): Promise<readonly Content[]> {
  for (let reads = 1;; reads++) {
    const before = await readFingerprints(files);
    const contents: Content[] = [];
    for (const each of files) contents.push(await readOnce(each));
    const after = await readFingerprints(files);
    if (before === after || reads === MAX_READS) return contents;
    await setTimeout(RETRY_MS);
  }
}

async function readOnce(
  { file, path, maxSize }: FileToRead,
): Promise<Content> {
  try {
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
    return await readFile(file);
  } catch (error) {
    const message = explainFileError(error as Error);
    return new StoreFileError([{ path, message }]);
  }
}

/** Returns a string that changes if a file, its status, or the error from reading it changes. */
export async function readFingerprints(
  files: readonly Pick<FileToRead, "file">[],
): Promise<string> {
  const each = files.map(async ({ file }) => {
    try {
      const found = await stat(file, { bigint: true });
      const { ino, mode, size, mtimeNs, ctimeNs } = found;
      return [ino, mode, size, mtimeNs, ctimeNs].join(" ");
    } catch (error) {
      return String(error);
    }
  });
  return (await Promise.all(each)).join();
}

/** Why a file cannot be read or written, by the code of the error. */
const REASONS: ReadonlyMap<string | undefined, string> = new Map([
  ["ENOENT", "file not found"],
  ["EISDIR", "is a directory"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
]);

export function explainFileError(
  { code, message }: Error & { readonly code?: string },
): string {
  return REASONS.get(code) ?? message; // on Deno, it names the missing permission, if any
}
