import { spawn } from "node:child_process";
import process from "node:process";

/** A command that must print certain lines, each once. */
export interface Run {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly lines: readonly string[];
}

/** The command that runs test files on Node.js. */
export const NODE_TEST: readonly string[] = [
  ...["node", "--import", "tsx", "--test", "--test-reporter=spec"],
];

/**
 * Runs commands in sequence, and fails if one of them fails or does not print its
 * lines. The arguments of the process select commands by a part of their name.
 */
export async function runAll(runs: readonly Run[]): Promise<void> {
  const words = process.argv.slice(2);
  const chosen = runs.filter(({ name }) =>
    words.length === 0 || words.some((word) => name.includes(word))
  );
  let hasPassed = chosen.length > 0;
  for (const each of chosen) hasPassed = await run(each) && hasPassed;
  if (chosen.length === 0) console.error("Nothing ran");
  process.exitCode = hasPassed ? 0 : 1;
}

/** Runs a command. Returns whether it succeeded and printed its lines. */
async function run({ name, command, env, lines }: Run): Promise<boolean> {
  const start = performance.now();
  const child = spawn(command[0]!, command.slice(1), {
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => output += text);
  }
  const status = await new Promise((resolve) => child.once("close", resolve));
  const printed = output.split("\n").map((line) => line.trim());
  const missing = lines.filter((line) =>
    printed.filter((each) => each === line).length !== 1
  );
  const hasPassed = status === 0 && missing.length === 0 && lines.length > 0;
  if (!hasPassed) {
    console.error(output);
    for (const line of missing) console.error(`not printed once: ${line}`);
  }
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  console.log(`${hasPassed ? "passed" : "FAILED"} ${name} in ${seconds} s`);
  for (const line of lines) console.log(`  ${line}`);
  return hasPassed;
}
