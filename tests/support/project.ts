import { existsSync } from "node:fs";
import { readdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeFolder } from "./files.ts";
import { runProgram } from "../../tools/start_program.ts";

/** The packages of the tests. */
export const PACKAGES: string = resolve("tests/node_modules");

/** A project in which only the packed package is installed. */
export interface Project {
  readonly folder: string;
  /** The file that `npm pack` created. */
  readonly filename: string;
  /** Its size in bytes, and the paths in it. */
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the package, which must be built, and installs it in an empty folder. */
export async function createProject(
  t: { after(fn: () => unknown): void },
): Promise<Project> {
  const folder = await makeFolder(t);
  const options = [
    "--json",
    "--ignore-scripts",
    `--pack-destination=${folder}`,
  ];
  const { stdout } = await runProgram("npm", ["pack", ...options]);
  const [packed] = JSON.parse(stdout);
  const cwd = { cwd: folder };
  await runProgram("npm", ["install", join(folder, packed.filename)], cwd);
  return { ...packed, folder };
}

/** Makes the packages of the tests available in a project. */
export async function linkPackages(folder: string): Promise<void> {
  for (const name of await readdir(PACKAGES)) {
    const path = join(folder, "node_modules", name);
    if (!existsSync(path)) {
      await symlink(join(PACKAGES, name), path, "junction");
    }
  }
}
