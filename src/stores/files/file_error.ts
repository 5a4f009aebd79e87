import { escapeControls } from "../../core/internal/quote.ts";

/** A problem in a file, or with the file itself. */
export interface FileProblem {
  /** The path of the file, as passed to the store. */
  readonly path: string;
  /** The line number, starting at 1; absent if the file cannot be read. */
  readonly line?: number;
  /** The column number in UTF-16 code units, starting at 1. */
  readonly column?: number;
  /** The problem, such as `file not found`. It never contains a token or a digest. */
  readonly message: string;
}

/**
 * The error for a missing or invalid file. Its message is the first problem,
 * formatted by {@linkcode formatProblem}.
 *
 * @example
 * ```ts
 * import { openFileStore, StoreFileError } from "plant-store/files";
 *
 * try {
 *   await openFileStore({ plants: "no.json", tokens: "data/tokens.json" });
 * } catch (error) {
 *   if (!(error instanceof StoreFileError)) throw error;
 *   console.log(error.message); // 'cannot read "no.json": file not found'
 * }
 * ```
 */
export class StoreFileError extends Error {
  /** The name of the class. */
  override readonly name = "StoreFileError";
  /** The problems, up to 20 for each file, starting with the plants file. */
  readonly problems: readonly FileProblem[];
  /** The number of problems that are not listed. */
  readonly omittedCount: number;

  /**
   * Creates the error.
   *
   * @param problems The problems, at least one.
   * @param omittedCount The number of problems that are not listed. Default: 0.
   */
  constructor(problems: readonly FileProblem[], omittedCount = 0) {
    super(problems[0] && formatProblem(problems[0]));
    this.problems = problems;
    this.omittedCount = omittedCount;
  }
}

/**
 * Formats a problem as `PATH:LINE:COLUMN: PROBLEM`, or as
 * `cannot read "PATH": PROBLEM` if the file cannot be read.
 *
 * @param problem The problem to format.
 * @returns A single line, without a trailing line break.
 *
 * @example
 * ```ts
 * import { formatProblem } from "plant-store/files";
 *
 * const problem = {
 *   path: "data/plants.json",
 *   line: 41,
 *   column: 12,
 *   message: "tag must be a non-empty string",
 * };
 * console.log(formatProblem(problem));
 * // "data/plants.json:41:12: tag must be a non-empty string"
 * ```
 */
export function formatProblem(problem: FileProblem): string {
  const { path, line, column, message } = problem;
  return escapeControls(
    line === undefined
      ? `cannot read "${path}": ${message}`
      : `${path}:${line}:${column}: ${message}`,
  );
}
