import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pluralize } from "../internal/pluralize.ts";
import {
  type FileRejected,
  type FileWarning,
  formatProblem,
} from "../stores/files.ts";
import { explainDenied, PROGRAM, quoteArgument } from "./program.ts";

/** The files that `init` creates and commands need. */
const SAMPLES = ["plants.json", "tokens.json"];

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
