import { constants } from "node:os";
import process from "node:process";

/** What a server does when it receives a signal. */
export interface SignalActions {
  /** Called on SIGINT and SIGTERM with the number of the signal. Default: exit with status 0. */
  stop?(signal: number): void;
  /** Called on SIGHUP. */
  reload(): void;
}

/**
 * Handles signals, even before the server has started: until then, SIGINT and
 * SIGTERM exit with status 0, and SIGHUP waits. Without a handler, SIGHUP would
 * end the process, and process 1 of a container would miss SIGTERM.
 *
 * @returns A function that sets the actions of the started server.
 */
export function handleSignals(): (actions: SignalActions) => void {
  let started: SignalActions | undefined;
  let isReloadDue = false;
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (started?.stop) started.stop(constants.signals[name]);
      else process.exit(0);
    });
  }
  process.on("SIGHUP", () => {
    if (started) started.reload();
    else isReloadDue = true;
  });
  return (actions) => {
    started = actions;
    if (isReloadDue) actions.reload();
  };
}
