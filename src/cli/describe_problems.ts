import { basename, dirname, sep } from "node:path";
import { pluralize } from "../shared/pluralize.ts";
import { quoteForShell } from "../shared/shell.ts";
import {
  type FileRejected,
  type FileWarning,
  formatProblem,
} from "../stores/files.ts";
import { type Env, howToChange } from "./parse_options.ts";
import { explainDenied, PROGRAM } from "./invocation.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** The files that `init` creates and commands need. */
export const SAMPLES: readonly string[] = ["plants.json", "tokens.json"];

/**
 * Returns a line for each problem or warning, and a line that counts the unlisted ones.
 *
 * @param env The variables of the command, which adds its name and hints to lines that do
 * not start with a file path.
 */
export function describeProblems(
  found: Pick<FileRejected, "problems" | "omittedCount"> | FileWarning,
  env?: Env,
): string[] {
  const [listed, noun] = "warnings" in found
    ? [found.warnings, "more warning"]
    : [found.problems, "more problem"];
  const lines = listed.map((problem) => {
    if (problem.line !== undefined) return formatProblem(problem);
    const text = explainDenied(formatProblem(problem));
    if (!env) return text;
    const isMissing = problem.message === "file not found";
    const hint = isMissing ? explainMissing(problem.path, env) : "";
    return `plant-store: ${text}${hint}`;
  });
  if (found.omittedCount > 0) {
    lines.push(`and ${pluralize(found.omittedCount, noun)}`);
  }
  return lines;
}

/** Prints the problems or warnings in a file, with hints. */
export function printProblems(
  found: Parameters<typeof describeProblems>[0],
  env: Env,
): void {
  for (const line of describeProblems(found, env)) console.error(line);
}

/** Returns a hint for a file that is missing. */
function explainMissing(path: string, env: Env): string {
  for (const key of ["plants", "tokens"] as const) {
    const { env: variable } = SERVE_OPTIONS[key];
    if (env[variable] === path) return `; ${howToChange(key, variable)}`;
  }
  if (!SAMPLES.includes(basename(path))) return "";
  const argument = quoteForShell(dirname(path).replaceAll(sep, "/"));
  return `; to create it, run: ${PROGRAM} init ${argument}`;
}
