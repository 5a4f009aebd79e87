import { lstat, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Plant } from "../core/domain/plant.ts";
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
  const created: string[] = [];
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name);
      const file = await open(path, "wx");
      created.push(path);
      await file.writeFile(text).finally(() => file.close());
    }
    return created;
  } catch (error) {
    for (const path of created) await rm(path);
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") {
      throw new Error(`"${path}" already exists; nothing was written`);
    }
    const message = explainFileError(error as Error);
    throw new Error(`cannot create files in "${folder}": ${message}`);
  }
}

/** Whether nothing exists at `path`, not even a dangling symbolic link. */
export async function isMissing(path: string): Promise<boolean> {
  return await lstat(path).then(() => false, ({ code }) => code === "ENOENT");
}

/** Formats a plants file with one plant per line. */
export function toPlantsFile(plants: readonly Plant[]): string {
  if (plants.length === 0) return "[]\n";
  const lines = plants.map((plant) =>
    `  ${JSON.stringify(plant, null, 1).replace(/\n */g, " ")}`
  );
  return `[\n${lines.join(",\n")}\n]\n`;
}

export function toJsonFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
