import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

let count = 0;

/**
 * Writes a module that runs test files in one process, because each process takes most of
 * a second. Returns its path.
 */
export async function writeGroup(
  files: readonly string[],
  folder = "node_modules/.cache/plant-store",
): Promise<string> {
  const path = join(folder, `group-${process.pid}-${++count}.mjs`);
  const urls = files.map((file) => pathToFileURL(resolve(file)));
  await mkdir(folder, { recursive: true });
  await writeFile(path, urls.map((url) => `import "${url}";\n`).join(""));
  return path;
}
