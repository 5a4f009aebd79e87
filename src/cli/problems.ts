import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { count } from "../domain/count.ts";
import { formatProblem, StoreFileError } from "../stores/files/file_error.ts";
import { PROGRAM, quoteArgument } from "../stores/catalog/program.ts";
import { print } from "./command.ts";
import { npmScript, type Option, UsageError } from "./options.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** The files that `init` creates and commands need. */
const SAMPLES = ["plants.json", "tokens.json"];

/** Prints an error: each problem of a file, or one line. Returns the exit status. */
export function reportError(error: unknown): number {
  if (error instanceof StoreFileError) {
    for (const line of toLines(error, "plant-store: ")) console.error(line);
  } else {
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof UsageError ? explainNpm() : "";
    print(`${message.split("\n")[0]}${hint}`);
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

/**
 * Returns a line for each problem, and a line that counts the unlisted ones.
 *
 * @param prefix A prefix for lines that do not start with a file path.
 */
export function toLines(
  { problems, more }: Pick<StoreFileError, "problems" | "more">,
  prefix = "",
): string[] {
  const lines = problems.map((problem) => {
    if (problem.line !== undefined) return formatProblem(problem);
    const hint = problem.message === "file not found"
      ? explainMissing(problem.path)
      : "";
    return `${prefix}${formatProblem(problem)}${hint}`;
  });
  if (more > 0) lines.push(`and ${count(more, "more problem")}`);
  return lines;
}

/** Returns a hint for a missing file that `init` would create. */
function explainMissing(path: string): string {
  const folder = dirname(path);
  const exists = SAMPLES.some((name) => existsSync(join(folder, name)));
  if (exists || !SAMPLES.includes(basename(path))) return "";
  return `; to create it, run: ${PROGRAM} init ${quoteArgument(folder, "DIR")}`;
}

/** Returns a hint if npm kept an option of `serve` for itself. */
function explainNpm(): string {
  const script = npmScript();
  if (script === undefined) return "";
  for (const [name, option] of Object.entries<Option>(SERVE_OPTIONS)) {
    const kept = process.env[`npm_config_${name.replaceAll("-", "_")}`];
    if (kept === undefined) continue;
    const value = kept === "true" ? process.argv.at(-1)! : kept;
    const shown = value.includes("://") // a URL can contain a password
      ? option.value
      : quoteArgument(value, option.value!);
    const command = script === "start" ? "npm start" : `npm run ${script}`;
    return `; with npm, write ${command} -- --${name} ${shown}`;
  }
  return "";
}
