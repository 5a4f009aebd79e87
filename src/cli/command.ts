import {
  type CommandLine,
  type Env,
  type Options,
  parseOptions,
} from "./options.ts";

/** A command of the command line. */
export interface Command {
  /** What is asked for beside options; in brackets what may be left out. */
  readonly operands: readonly string[];
  readonly options: Options;
  /** Runs it. Gives the status to exit with; undefined to go on running. */
  run(args: readonly string[], env: Env): Promise<number | undefined>;
}

/** Ties a command's options to what is done with them. */
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
