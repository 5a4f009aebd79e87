import process from "node:process";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** The npm script that started the process, if any. Deno starts tasks without npm. */
export function npmScript(): string | undefined {
  return "Deno" in globalThis ? undefined : process.env["npm_lifecycle_event"];
}

/** Returns a hint if npm parsed options of `serve` as its own. */
export function explainNpm(): string {
  const isConsumed = npmScript() !== undefined &&
    Object.keys(SERVE_OPTIONS).some((name) =>
      `npm_config_${name.replaceAll("-", "_")}` in process.env
    );
  return isConsumed
    ? "; npm consumed an option; put -- before the options (in PowerShell, use npm.cmd)"
    : "";
}
