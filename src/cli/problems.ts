import { type FileProblem, formatProblem } from "../stores/read.ts";

/** Problems as an error or a change has them. */
interface Problems {
  readonly problems: readonly FileProblem[];
  readonly more: number;
}

/** The first problem in one line, and how many more there are. */
export function summarize({ problems, more }: Problems): string {
  const line = formatProblem(problems[0]!);
  const rest = problems.length - 1 + more;
  return rest === 0 ? line : `${line} (and ${countMore(rest)})`;
}

/** `1 more problem`, `2 more problems`. */
export function countMore(more: number): string {
  return `${more} more problem${more === 1 ? "" : "s"}`;
}
