import { count } from "../domain/count.ts";
import { type FileProblem, formatProblem } from "../stores/files/file_error.ts";

/** The problems in one or more files. */
interface Problems {
  readonly problems: readonly FileProblem[];
  readonly more: number;
}

/**
 * Returns a line for each problem, and a line that counts the unlisted ones.
 *
 * @param prefix A prefix for lines that do not start with a file path.
 */
export function toLines({ problems, more }: Problems, prefix = ""): string[] {
  const lines = problems.map((problem) => {
    if (problem.line !== undefined) return formatProblem(problem);
    const hint = problem.message === "file not found"
      ? '; create it with "plant-store init"'
      : "";
    return `${prefix}${formatProblem(problem)}${hint}`;
  });
  if (more > 0) lines.push(`and ${count(more, "more problem")}`);
  return lines;
}
