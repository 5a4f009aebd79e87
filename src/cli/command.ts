import { escapeControls } from "../domain/quote.ts";
import {
  type CommandLine,
  type Env,
  type Options,
  parseOptions,
} from "./options.ts";

/** A command in the command-line program. */
export interface Command {
  /** The names of the operands; optional ones are in brackets. */
  readonly operands: readonly string[];
  readonly options: Options;
  /** Runs the command. Returns the exit status, or `undefined` to keep running. */
  run(args: readonly string[], env: Env): Promise<number | undefined>;
}

/** Defines a command. Its `run` function receives the parsed command line. */
export function defineCommand<T extends Options>(
  { options, operands = [], run }: {
    readonly options: T;
    readonly operands?: readonly string[];
    run(line: CommandLine<T>): Promise<number | undefined>;
  },
): Command {
  return {
    operands,
    options,
    run: async (args, env) =>
      await run(parseOptions(options, args, env, operands)),
  };
}

/** Prints a message to standard error, on one line and prefixed with the program name. */
export function print(message: string): void {
  console.error(`plant-store: ${escapeControls(message)}`);
}
