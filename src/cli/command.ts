import type { MaybePromise } from "../core/internal/maybe_promise.ts";
import type { CommandLine, Options } from "./parse_options.ts";

export interface Command<T extends Options = Options> {
  readonly help: string;
  /** The argument that can follow the command, in brackets; with `...`, several can. */
  readonly positional?: string;
  readonly options: T;
  /** What the help says after the options. */
  readonly notes?: string;
  /** Runs the command. Returns the exit status if the command has failed. */
  run(
    line: CommandLine<T>,
    ...positionals: string[]
  ): MaybePromise<number | void>;
}

/** Defines a command. Its options determine the type of the settings. */
export function defineCommand<const T extends Options>(
  command: Command<T>,
): Command {
  return command;
}
