import { spawn } from "node:child_process";
import process from "node:process";

/** The line that a runtime prints if tests passed. */
const PASSED =
  /^ℹ pass [1-9]|^ok \| [1-9]|^ *[1-9]\d* pass$|^ *Tests +[1-9]\d* passed|^passed /m;

/** The command that runs test files on Node.js. */
export const NODE_TEST: readonly string[] = [
  ...[process.execPath, "--import", "tsx", "--test", "--test-reporter=spec"],
];

/** Runs a command. Returns whether it succeeded, and its output. */
export async function run(
  [command, ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
  print: (text: string) => void = (text) => void process.stdout.write(text),
): Promise<{ readonly succeeded: boolean; readonly output: string }> {
  const child = spawn(command!, args, {
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  let output = "";
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      print(text);
      output += text;
    });
  }
  const status = await new Promise((resolve) => child.once("close", resolve));
  return { succeeded: status === 0, output };
}

/** Runs tests: each of them passes, and there is at least one. */
export async function runTests(
  command: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { succeeded, output } = await run(command, env);
  if (PASSED.test(output)) return succeeded;
  console.error("No test ran");
  return false;
}

/** A command that runs tests. */
export interface Run {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs commands in sequence. The arguments of the process select commands by a
 * part of their name.
 */
export async function runAll(runs: readonly Run[]): Promise<void> {
  const words = process.argv.slice(2);
  const chosen = runs.filter(({ name }) =>
    words.length === 0 || words.some((word) => name.includes(word))
  );
  const failed: string[] = chosen.length === 0 ? words : [];
  for (const { name, command, env } of chosen) {
    console.log(`== ${name}`);
    if (!await runTests(command, env)) failed.push(name);
  }
  if (failed.length > 0) console.error(`failed: ${failed.join(", ")}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
