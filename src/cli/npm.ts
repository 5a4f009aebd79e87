import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type Options, UsageError } from "./parse_options.ts";

/** The npm script that started the process, if any. Deno starts tasks without npm. */
export function npmScript(): string | undefined {
  return "Deno" in globalThis ? undefined : process.env["npm_lifecycle_event"];
}

/** The folder in which a user started npm, which changes it, or else the current one. */
export function npmFolder(): string {
  const { INIT_CWD } = npmScript() === undefined ? {} : process.env;
  return INIT_CWD ?? process.cwd();
}

/**
 * Rejects options that npm parsed as its own, because the program never sees them.
 *
 * @throws {UsageError} If npm consumed one of the options.
 */
export function checkNpm(options: Options): void {
  if (npmScript() === undefined) return;
  const { env } = process;
  const consumed = Object.keys(options).find((name) =>
    `npm_config_${name.replaceAll("-", "_")}` in env && !isConfigured(name)
  );
  if (consumed === undefined) return;
  throw new UsageError(
    `npm consumed --${consumed}; put -- before the options (in PowerShell, use npm.cmd)`,
  );
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
