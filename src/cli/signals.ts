import { constants } from "node:os";
import process from "node:process";
import { npmScript } from "./invocation.ts";

/** The time between checks for whether the parent process has exited. */
const PARENT_CHECK_MS = 1_000;

/**
 * The scripts that only run the server. Others can start it in the background, or with
 * a process manager.
 */
const DIRECT =
  /^(?:\w+=\S* )*'?(?:plant-store|node tools\/start\.mjs)(?:[' ][^&|;\n]*)?$/;

/**
 * Handles SIGINT and SIGTERM, even before the server has started: until then, they
 * exit with status 0. Without a handler, process 1 of a container would miss SIGTERM.
 * From now on, the exit of the shell in which npm runs only the server counts as SIGTERM.
 *
 * @returns A function that sets what to do after the server has started. It is called
 * with the number of the signal.
 */
export function handleSignals(): (stop: (signal: number) => void) => void {
  let stop: (signal: number) => void = () => process.exit(0);
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => stop(constants.signals[name]));
  }
  if (npmScript() && DIRECT.test(`${process.env["npm_lifecycle_script"]}`)) {
    // On SIGTERM, npm stops only this shell.
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
