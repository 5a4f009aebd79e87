import { constants } from "node:os";
import process from "node:process";
import { npmScript } from "./invocation.ts";

const PARENT_CHECK_MS = 1_000;

/**
 * The scripts that only run the server. Others can start it in the background, or with
 * a process manager.
 */
const DIRECT =
  /^(?:\w+=\S* )*'?(?:plant-store|node tools\/start\.mjs)(?:[' ][^&|;\n]*)?$/;

/** The time between signals that count as one: `deno task` forwards what a terminal has already sent. */
const SAME_SIGNAL_MS = 500;

/**
 * Handles SIGINT and SIGTERM, even before the server has started: until then, they
 * exit with status 0. Without a handler, process 1 of a container would miss SIGTERM.
 * Another signal, at least half a second later, exits at once. If npm runs only the
 * server in a shell, the exit of the shell counts as the first signal.
 *
 * @returns A function that sets what to do on the first signal after the server has started.
 */
export function handleSignals(): (stop: () => void) => void {
  let stop: () => void = () => process.exit(0);
  let first: number | undefined;
  function onFirst(): void {
    if (first !== undefined) return;
    first = performance.now();
    stop();
  }
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      onFirst();
      if (performance.now() - first! <= SAME_SIGNAL_MS) return;
      process.exit(128 + constants.signals[name]);
    });
  }
  if (npmScript() && DIRECT.test(`${process.env["npm_lifecycle_script"]}`)) {
    // On SIGTERM, npm stops only this shell.
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      onFirst();
    }, PARENT_CHECK_MS).unref();
  }
  return (next) => {
    stop = next;
  };
}
