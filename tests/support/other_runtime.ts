import { startProgram } from "../../tools/start_program.ts";

/** The time in milliseconds after which a test must hang, even on a busy machine. */
export const PATIENCE = 1_200_000;

/**
 * Runs the test runner of another runtime, and prints what matches `summary`, or if it
 * fails, all of its output. Throws unless it succeeds in time and prints a summary.
 */
export async function runTests(
  [program, ...args]: readonly string[],
  { summary, env }: {
    readonly summary: RegExp;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<void> {
  // These tests would report to this process.
  const running = startProgram(program!, args, {
    env: { ...env, NODE_TEST_CONTEXT: undefined },
  });
  const timer = setTimeout(() => running.kill("SIGKILL"), PATIENCE);
  const { status, stdout, stderr } = await running.ended;
  clearTimeout(timer);
  const output = `${stdout}\n${stderr}`;
  const [line] = summary.exec(output) ?? [];
  const hasPassed = status === 0 && line !== undefined;
  // A line with a dot is a test that passed.
  console.log(hasPassed ? line : output.replaceAll(/^\.$\n/gm, ""));
  if (!hasPassed) throw new Error(`${program} exited with ${status}`);
}
