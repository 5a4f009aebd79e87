import { lstatSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { resolve } from "node:path";

/** Makes the packages of the tests available in a folder. */
export async function linkPackages(folder: string): Promise<void> {
  // The link can be there before its target.
  const path = `${folder}/node_modules`;
  if (lstatSync(path, { throwIfNoEntry: false })) return;
  await symlink(resolve("tests/node_modules"), path, "junction");
}
