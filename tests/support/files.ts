import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a folder; the test removes it. */
export async function makeFolder(
  t: { after(fn: () => unknown): void },
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "plant-store-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The paths of the two files of a store. */
export interface Files {
  readonly plants: string;
  readonly tokens: string;
}

/** What the files contain: text, bytes, or values. Default: no plants and users. */
interface Content {
  readonly plants?: unknown;
  readonly tokens?: unknown;
}

/** Returns the paths of the two files in a folder. */
export function filesIn(folder: string): Files {
  return {
    plants: join(folder, "plants.json"),
    tokens: join(folder, "tokens.json"),
  };
}

/** Writes the two files of a store into a new folder. */
export async function writeFiles(
  t: { after(fn: () => unknown): void },
  content: Content,
): Promise<Files> {
  return await writeFilesIn(await makeFolder(t), content);
}

/** Writes the two files of a store into a folder, which it creates if necessary. */
export async function writeFilesIn(
  folder: string,
  content: Content,
): Promise<Files> {
  const files = filesIn(folder);
  await mkdir(folder, { recursive: true });
  await writeFile(files.plants, toText(content.plants ?? []));
  await writeFile(files.tokens, toText(content.tokens ?? {}));
  return files;
}

/** Replaces a file by a rename, so that no reader sees a part of it. */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
): Promise<void> {
  await writeFile(`${path}.new`, content);
  await rename(`${path}.new`, path);
}

function toText(content: unknown): string | Uint8Array {
  return typeof content === "string" || content instanceof Uint8Array
    ? content
    : JSON.stringify(content);
}
