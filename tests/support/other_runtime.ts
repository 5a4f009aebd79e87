import process from "node:process";
import type { Ended } from "../../tools/start_cli.ts";
import { startProgram } from "../../tools/start_program.ts";

/** The time in milliseconds after which a test that prints nothing has failed. */
export const SILENCE = 120_000;

/**
 * Runs the test runner of another runtime and prints its output. Throws unless it
 * exits with status 0, or if it prints nothing for so long that a test must hang.
 */
export async function runTests(
  [program, ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  // These tests would report to this process.
  const running = startProgram(program!, args, {
    env: { ...env, NODE_TEST_CONTEXT: undefined },
  });
  let isSilent = false;
  const timer = setTimeout(() => {
    isSilent = true;
    running.kill("SIGKILL");
  }, SILENCE);
  for (const stream of ["stdout", "stderr"] as const) {
    running.process[stream]!.on("data", (data: Uint8Array) => {
      process.stderr.write(data);
      timer.refresh();
    });
  }
  const ended = await running.ended;
  clearTimeout(timer);
  if (isSilent) throw new Error(`${program} printed nothing for ${SILENCE} ms`);
  if (ended.status !== 0) {
    throw new Error(`${program} exited with ${ended.status}`);
  }
  return ended;
}
