import { sep } from "node:path";
import process from "node:process";
import { quoteForShell } from "../shared/shell.ts";
import { type Options, UsageError } from "./parse_options.ts";

/** How to run the command line where it is installed, for messages. */
export const PROGRAM: string = findProgram();

function findProgram(): string {
  const { url = "" } = import.meta; // in a clone, on JSR, or in a package
  const isSource = url.endsWith(".ts");
  if ("Deno" in globalThis) {
    if (!isSource) return "deno run -A npm:plant-store";
    return url.startsWith("file:")
      ? "deno task plant-store"
      : "deno run -A jsr:@plant-store/plant-store/cli";
  }
  const isBun = "Bun" in globalThis;
  if (isSource) return isBun ? "bun src/cli/main.ts" : "npx plant-store";
  // Shells on Windows also accept slashes.
  const path = process.argv[1]!.replaceAll(sep, "/");
  // In a clone, npx starts the program through such a folder. Elsewhere, it would run
  // another package of this name.
  if (!`${url} ${path}`.includes("/node_modules/")) {
    return `${isBun ? "bun" : "node"} ${quoteForShell(path)}`;
  }
  return isBun ? "bunx --bun plant-store" : "npx plant-store";
}

/** The npm script that started the process, if any. Deno starts tasks without npm. */
export function npmScript(): string | undefined {
  return "Deno" in globalThis ? undefined : process.env["npm_lifecycle_event"];
}

/** Rejects options that npm consumed, because the program never sees them. */
export function checkNpm(options: Options): void {
  for (const name of npmScript() ? Object.keys(options) : []) {
    const variable = `npm_config_${name.replaceAll("-", "_")}`;
    if (!(variable in process.env)) continue;
    throw new UsageError(
      `npm consumed --${name} (${variable} is set); put -- before the options (in PowerShell, use npm.cmd)`,
    );
  }
}

/** Replaces the flag in a message from Deno, because `deno task` passes flags to the program. */
export function explainDenied(message: string): string {
  if (!PROGRAM.startsWith("deno task")) return message;
  const flag = /, run again with the --allow-(env|net|read|write) flag$/;
  return message.replace(flag, (_, access) => {
    const command = access === "write"
      ? "deno task plant-store"
      : "deno run -NRE src/cli/main.ts";
    return `; to allow it, run: ${command}`;
  });
}
