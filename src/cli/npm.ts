import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type Options, UsageError } from "./parse_options.ts";

/** The npm script that started the process, if any. Deno starts tasks without npm. */
export function npmScript(): string | undefined {
  return "Deno" in globalThis ? undefined : process.env["npm_lifecycle_event"];
}

/** Rejects options that npm parsed as its own, because the program never sees them. */
export function checkNpm(options: Options): void {
  if (npmScript() === undefined) return;
  for (const name of Object.keys(options)) {
    const variable = `npm_config_${name.replaceAll("-", "_")}`;
    if (!(variable in process.env) || isConfigured(name)) continue;
    throw new UsageError(
      `npm consumed --${name}; put -- before the options (in PowerShell, use npm.cmd)`,
    );
  }
}

/** Whether a configuration file of npm sets an option, probably for another program. */
function isConfigured(name: string): boolean {
  const { env } = process;
  const project = join(`${env["npm_config_local_prefix"]}`, ".npmrc");
  return [env["npm_config_userconfig"], env["npm_config_globalconfig"], project]
    .filter((path) => path !== undefined && existsSync(path))
    .flatMap((path) => readFileSync(path!, "utf8").split("\n"))
    .some((line) => line.split("=")[0]!.trim() === name);
}
