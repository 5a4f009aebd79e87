import { lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { explainFileError } from "../stores/files/read_file.ts";

/**
 * Writes new files to a folder and creates the folder if necessary.
 *
 * @param folder The path of the folder.
 * @param files The contents of the files, by name.
 * @returns The paths of the files.
 * @throws {Error} If one of the files exists, or if the files cannot be written.
 */
export async function writeNewFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const contents = new Map(
    Object.entries(files).map(([name, text]) => [join(folder, name), text]),
  );
  for (const path of contents.keys()) {
    if (!await exists(path)) continue;
    throw new Error(`"${path}" already exists; nothing was written`);
  }
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new Error(`cannot create "${folder}": ${explainFileError(error)}`);
  });
  const created: string[] = [];
  try {
    for (const [path, text] of contents) {
      await writeFile(path, text, { flag: "wx" });
      created.push(path);
    }
  } catch (error) {
    for (const path of created) await rm(path);
    throw error;
  }
  return [...contents.keys()];
}

/** Whether something exists at a path, even if it is a dangling symbolic link. */
export async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(() => true, () => false);
}
