import { type FileProblem, formatProblem } from "../stores/read.ts";

/** The first problem in one line, and how many more there are. */
export function summarize(problems: readonly FileProblem[]): string {
  const [first, ...rest] = problems.map(formatProblem);
  return rest.length === 0
    ? first!
    : `${first} (and ${countMore(rest.length)})`;
}

/** `1 more problem`, `2 more problems`. */
export function countMore(more: number): string {
  return `${more} more problem${more === 1 ? "" : "s"}`;
}
