import { escapeControls } from "../domain/quote.ts";
import {
  type CommandLine,
  type Env,
  type Options,
  parseOptions,
} from "./options.ts";

/** What the command line accepts after the name of a command, and what it does. */
interface Definition<T extends Options> {
  readonly help: string;
  /** The names of the operands; optional ones are in brackets. */
  readonly operands?: readonly string[];
  readonly options: T;
  /** Runs the command. Returns the exit status if the command has failed. */
  run(line: CommandLine<T>, ...operands: string[]): Promise<number | void>;
}

/** A command in the command-line program. */
export interface Command extends Omit<Definition<Options>, "run"> {
  /** Parses the arguments and runs the command. */
  run(args: readonly string[], env: Env): Promise<number | void>;
}

/** Defines a command. Its `run` function receives the parsed command line. */
export function defineCommand<T extends Options>(
  { run, ...command }: Definition<T>,
): Command {
  const { options, operands } = command;
  return {
    ...command,
    async run(args, env) {
      const line = parseOptions(options, args, env, operands);
      return await run(line, ...line.operands);
    },
  };
}

/** Prints a message to standard error, on one line and prefixed with the program name. */
export function print(message: string): void {
  console.error(`plant-store: ${escapeControls(message)}`);
}
