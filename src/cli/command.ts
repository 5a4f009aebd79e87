import {
  type CommandLine,
  type Env,
  type Options,
  parseOptions,
} from "./options.ts";

/** A command of the command line. */
export interface Command {
  /** The names of the arguments that are not options; optional ones are in brackets. */
  readonly operands: readonly string[];
  readonly options: Options;
  /** Runs the command. Returns the exit status, or `undefined` to keep running. */
  run(args: readonly string[], env: Env): Promise<number | undefined>;
}

/** Defines a command, whose `run` receives the parsed command line. */
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

/** Prints what a command did, or a warning, to standard error. */
export function print(message: string): void {
  console.error(`plant-store: ${message}`);
}
