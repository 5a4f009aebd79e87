import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
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

/** Writes the two files of a store into a new folder, by default without content. */
export async function writeFiles(
  t: { after(fn: () => unknown): void },
  content: { readonly plants?: unknown; readonly tokens?: unknown },
): Promise<Files> {
  const folder = await makeFolder(t);
  const files = {
    plants: join(folder, "plants.json"),
    tokens: join(folder, "tokens.json"),
  };
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
