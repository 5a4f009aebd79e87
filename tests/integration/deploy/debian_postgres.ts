import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { requireProgram } from "../../support/program.ts";

/** Debian's folder with a folder for each version of PostgreSQL. */
const VERSIONS = "/usr/lib/postgresql";

/** Returns the folder of the programs of Debian's newest PostgreSQL. */
export async function findPostgres(): Promise<string> {
  const versions = await readdir(VERSIONS).catch(() => []);
  const newest = Math.max(0, ...versions.map(Number));
  const programs = join(VERSIONS, `${newest}`, "bin");
  requireProgram(join(programs, "postgres"), "postgresql");
  return programs;
}
