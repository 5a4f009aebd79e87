import { type FileProblem, formatProblem } from "../stores/file_error.ts";

/** The problems of files, as an error or a change contains them. */
interface Problems {
  readonly problems: readonly FileProblem[];
  readonly more: number;
}

/** Returns a line for each problem, and one for those that are not listed. */
export function toLines({ problems, more }: Problems): string[] {
  const lines = problems.map(formatProblem);
  if (more > 0) lines.push(`and ${more} more problem${more === 1 ? "" : "s"}`);
  return lines;
}
