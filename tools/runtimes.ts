/** The command that starts Deno. */
export const DENO: readonly string[] = ["npx", "--yes", "deno@2.9.6"];

/** The command that starts Bun. */
export const BUN: readonly string[] = ["npx", "--yes", "bun@1.4.5"];

/** The import map for machines that cannot reach JSR. */
export const OFFLINE_MAP = "tools/deno.offline.json";
