import { spawn } from "node:child_process";
import process from "node:process";
import {
  type Ended,
  kill,
  type Running,
  stopAfter,
  watch,
} from "./start_cli.ts";

/** The working directory of a program, and additional variables. */
export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** On Debian, only root has the folders of server programs in `PATH`. */
const env = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin:/sbin` };

/** Starts a program. Signals also reach its child processes. */
export function startProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Running {
  const running = watch(spawn(program, args, {
    ...options,
    env: { ...env, NO_COLOR: "1", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // npx starts runtimes as child processes
  }));
  return {
    ...running,
    kill: (signal) => kill(-running.process.pid!, signal),
  };
}

/** Starts a program that stops when the test ends. */
export function startProgramFor(
  t: { after(fn: () => unknown): void },
  ...[program, args, options]: Parameters<typeof startProgram>
): Running {
  const running = startProgram(program, args, options);
  stopAfter(t, running);
  return running;
}

/** Runs a program, and throws unless it exits with status 0. */
export async function runProgram(
  ...[program, args, options]: Parameters<typeof startProgram>
): Promise<Ended> {
  const ended = await startProgram(program, args, options).ended;
  const { status, stdout, stderr } = ended;
  if (status === 0) return ended;
  const command = [program, ...args].join(" ");
  throw new Error(`${command} exited with ${status}: ${stdout}${stderr}`);
}
