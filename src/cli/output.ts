import process from "node:process";
import { escapeControls } from "../core/internal/quote.ts";

/** Waits until a pipe has received all output. */
export function flushOutput(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write("", () => resolve()); // errors are handled elsewhere
  });
}

/** Prints a message to standard error, on one line and prefixed with the program name. */
export function print(message: string): void {
  console.error(`plant-store: ${escapeControls(message)}`);
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

/** Formats rows as indented lines with aligned columns. */
export function toTable(
  rows: readonly (readonly string[])[],
  indent = "  ",
): string {
  const widths = rows[0]!.map((_, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]!.length), 0)
  );
  return rows.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column]!));
    return `${indent}${cells.join("  ").trimEnd()}`;
  }).join("\n");
}
