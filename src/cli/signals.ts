import { constants } from "node:os";
import process from "node:process";
import { npmScript } from "./npm.ts";

/** The time between checks for whether the parent process has exited. */
const PARENT_CHECK_MS = 1_000;

/**
 * Handles SIGINT and SIGTERM, even before the server has started: until then, they
 * exit with status 0. Without a handler, process 1 of a container would miss SIGTERM.
 * The exit of a parent process that npm started counts as SIGTERM.
 *
 * @returns A function that sets what to do after the server has started. It is called
 * with the number of the signal.
 */
export function handleSignals(): (stop: (signal: number) => void) => void {
  let stop: (signal: number) => void = () => process.exit(0);
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => stop(constants.signals[name]));
  }
  if (npmScript() !== undefined) {
    // On SIGTERM, npm stops only the shell that runs the script.
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      stop(constants.signals.SIGTERM);
    }, PARENT_CHECK_MS).unref();
  }
  return (next) => {
    stop = next;
  };
}
