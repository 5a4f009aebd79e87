import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { pluralize } from "../internal/pluralize.ts";
import {
  type FileRejected,
  type FileWarning,
  formatProblem,
  StoreFileError,
} from "../stores/files.ts";
import { PROGRAM, quoteArgument } from "./program.ts";
import { print } from "./command.ts";
import { UsageError } from "./parse_options.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** The files that `init` creates and commands need. */
const SAMPLES = ["plants.json", "tokens.json"];

/** Prints an error, with one line for each problem in a file. Returns the exit status. */
export function reportError(error: unknown): number {
  if (error instanceof StoreFileError) {
    for (const line of toLines(error, "plant-store: ")) console.error(line);
    return 1;
  }
  const [message] = (error as Error).message.split("\n");
  const isMistake = error instanceof UsageError;
  print(`${explainDenied(message!)}${isMistake ? explainNpm() : ""}`);
  return isMistake ? 2 : 1;
}

/** Keeps the process running if its output is closed. */
export function handleOutputErrors(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader such as `head` can close the pipe early.
    if (error.code === "EPIPE") return;
    print(`cannot write output: ${error.message}`);
    process.exitCode = 1;
  });
  process.stderr.on("error", () => {});
}

/**
 * Returns a line for each problem or warning, and a line that counts the unlisted ones.
 *
 * @param prefix A prefix for lines that do not start with a file path.
 */
export function toLines(
  found: Pick<FileRejected, "problems" | "omittedCount"> | FileWarning,
  prefix = "",
): string[] {
  const [listed, noun] = "warnings" in found
    ? [found.warnings, "more warning"]
    : [found.problems, "more problem"];
  const lines = listed.map((problem) => {
    if (problem.line !== undefined) return formatProblem(problem);
    const hint = problem.message === "file not found"
      ? explainMissing(problem.path)
      : "";
    return `${prefix}${explainDenied(formatProblem(problem))}${hint}`;
  });
  if (found.omittedCount > 0) {
    lines.push(`and ${pluralize(found.omittedCount, noun)}`);
  }
  return lines;
}

/** Returns a hint for a missing file that `init` would create. */
function explainMissing(path: string): string {
  const folder = dirname(path);
  const exists = SAMPLES.some((name) => existsSync(join(folder, name)));
  if (exists || !SAMPLES.includes(basename(path))) return "";
  return `; to create it, run: ${PROGRAM} init ${quoteArgument(folder, "DIR")}`;
}

/** Replaces the flag in a message from Deno, because `deno task` passes flags to the program. */
function explainDenied(message: string): string {
  const flag = /, run again with the --allow-(?:env|net|read) flag$/;
  return PROGRAM.startsWith("deno task")
    ? message.replace(flag, "; to allow it, run: deno task start:any")
    : message;
}

/** The npm script that started the process, if any. Deno starts tasks without npm. */
export function npmScript(): string | undefined {
  return "Deno" in globalThis ? undefined : process.env["npm_lifecycle_event"];
}

/** Returns a hint if npm parsed options of `serve` as its own. */
function explainNpm(): string {
  const isConsumed = npmScript() !== undefined &&
    Object.keys(SERVE_OPTIONS).some((name) =>
      `npm_config_${name.replaceAll("-", "_")}` in process.env
    );
  return isConsumed
    ? "; npm consumed an option; put -- before the options (in PowerShell, use npm.cmd)"
    : "";
}
