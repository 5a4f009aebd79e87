import process from "node:process";
import { count } from "../domain/count.ts";
import {
  type FileProblem,
  formatProblem,
  StoreFileError,
} from "../stores/files/file_error.ts";
import { print } from "./command.ts";
import { UsageError } from "./options.ts";

/** Prints an error: each problem of a file, or one line. Returns the exit status. */
export function reportError(error: unknown): number {
  if (error instanceof StoreFileError) {
    for (const line of toLines(error, "plant-store: ")) console.error(line);
  } else {
    const message = error instanceof Error ? error.message : String(error);
    print(message.split("\n")[0]!);
  }
  return error instanceof UsageError ? 2 : 1;
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
