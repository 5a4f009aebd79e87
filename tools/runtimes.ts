import process from "node:process";

// Each start with npx takes half a second. The variables, which .ci/run sets, contain
// the paths of the programs.

/** The command that starts Deno. */
export const DENO: readonly string[] = find("DENO", "deno@2.9.6");

/** The command that starts Bun. */
export const BUN: readonly string[] = find("BUN", "bun@1.4.5");

/** The import map for machines that cannot reach JSR. */
export const OFFLINE_MAP = "tools/deno.offline.json";

function find(variable: string, version: string): readonly string[] {
  const path = process.env[variable];
  return path ? [path] : ["npx", "--yes", version];
}
