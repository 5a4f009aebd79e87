import { constants } from "node:os";
import process from "node:process";

/**
 * Handles SIGINT and SIGTERM, even before the server has started: until then, they
 * exit with status 0. Without a handler, process 1 of a container would miss SIGTERM.
 *
 * @returns A function that sets what to do after the server has started. It is called
 * with the number of the signal.
 */
export function handleSignals(): (stop: (signal: number) => void) => void {
  let stop: (signal: number) => void = () => process.exit(0);
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => stop(constants.signals[name]));
  }
  return (next) => {
    stop = next;
  };
}
