import { basename, dirname, isAbsolute, sep } from "node:path";
import process from "node:process";
import { pluralize } from "../shared/pluralize.ts";
import { quoteForShell } from "../shared/shell.ts";
import { quote } from "../core/internal/quote.ts";
import {
  type FileRejected,
  type FileWarning,
  formatProblem,
} from "../stores/files.ts";
import { howToChange } from "./parse_options.ts";
import { explainDenied, npmScript, PROGRAM } from "./invocation.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** The files that `init` creates and commands need. */
export const SAMPLES: readonly string[] = ["plants.json", "tokens.json"];

/**
 * Returns a line for each problem or warning, and a line that counts the unlisted ones.
 *
 * @param prefix A prefix for lines that do not start with a file path; also adds hints.
 */
export function describeProblems(
  found: Pick<FileRejected, "problems" | "omittedCount"> | FileWarning,
  prefix = "",
): string[] {
  const [listed, noun] = "warnings" in found
    ? [found.warnings, "more warning"]
    : [found.problems, "more problem"];
  const lines = listed.map((problem) => {
    if (problem.line !== undefined) return formatProblem(problem);
    const isMissing = prefix && problem.message === "file not found";
    const hint = isMissing ? explainMissing(problem.path) : "";
    return `${prefix}${explainDenied(formatProblem(problem))}${hint}`;
  });
  if (found.omittedCount > 0) {
    lines.push(`and ${pluralize(found.omittedCount, noun)}`);
  }
  return lines;
}

/** Prints the problems or warnings in a file, with hints. */
export function printProblems(
  found: Parameters<typeof describeProblems>[0],
): void {
  for (const line of describeProblems(found, "plant-store: ")) {
    console.error(line);
  }
}

/** Returns a hint for a file that is missing. */
function explainMissing(path: string): string {
  for (const key of ["plants", "tokens"] as const) {
    const { env } = SERVE_OPTIONS[key];
    if (process.env[env] === path) return `; ${howToChange(key, env)}`;
  }
  const folder = process.cwd();
  if (npmScript() && process.env["INIT_CWD"] !== folder && !isAbsolute(path)) {
    return `; npm runs this in ${quote(folder)}, so use an absolute path`;
  }
  if (!SAMPLES.includes(basename(path))) return "";
  const argument = quoteForShell(dirname(path).replaceAll(sep, "/"));
  return `; to create it, run: ${PROGRAM} init ${argument}`;
}
