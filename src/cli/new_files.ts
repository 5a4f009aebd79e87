import { lstat, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { explainFileError } from "../stores/files/read_file.ts";
import { createFile } from "../stores/files/rewrite_file.ts";

/**
 * Writes new files to a folder and creates the folder if necessary.
 *
 * @param folder The path of the folder.
 * @param files The contents of the files, by name.
 * @param optional The contents of files that are skipped if they exist, by name.
 * @throws {Error} If one of the files exists, or if the files cannot be written.
 */
export async function writeNewFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  optional: Readonly<Record<string, string>> = {},
): Promise<void> {
  const paths = new Map<string, string>();
  for (const [name, text] of Object.entries({ ...files, ...optional })) {
    const path = join(folder, name);
    // A dangling symbolic link counts as existing.
    const exists = await lstat(path).catch(() => undefined);
    if (exists && !Object.hasOwn(optional, name)) {
      throw new Error(`"${path}" already exists; nothing was written`);
    }
    if (!exists) paths.set(path, text);
  }
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new Error(`cannot create "${folder}": ${explainFileError(error)}`);
  });
  const created: string[] = [];
  try {
    for (const [path, text] of paths) {
      await createFile(path, new TextEncoder().encode(text));
      created.push(path);
    }
  } catch (error) {
    for (const path of created) await rm(path);
    throw error;
  }
}
