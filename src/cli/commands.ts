import { suggest } from "../shared/suggest.ts";
import { checkCommand } from "./check_command.ts";
import type { Command } from "./command.ts";
import { gradeCommand } from "./grade/grade_command.ts";
import { importCommand } from "./import_command.ts";
import { initCommand } from "./init_command.ts";
import { quoteWord, UsageError } from "./parse_options.ts";
import { PROGRAM } from "./invocation.ts";
import { serveCommand } from "./serve_command.ts";
import { tokenCommand } from "./token_command.ts";
import { verifyCommand } from "./verify/verify_command.ts";

/** The commands by name, in the order in which the help lists them. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ["serve", serveCommand],
  ["init", initCommand],
  ["check", checkCommand],
  ["token", tokenCommand],
  ["import", importCommand],
  ["verify", verifyCommand],
  ["grade", gradeCommand],
]);

/**
 * Finds the command in the arguments.
 *
 * @returns The name of the command (`undefined` if there is none) and the remaining
 * arguments.
 * @throws {UsageError} If the command is unknown.
 */
export function findCommand(
  args: readonly string[],
): { readonly name?: string; readonly rest: readonly string[] } {
  const [name, ...rest] = args;
  if (name === undefined || name.startsWith("-")) return { rest: args };
  if (COMMANDS.has(name)) return { name, rest };
  const words = [...COMMANDS.keys(), "help"];
  const hint = `to list all commands, run: ${PROGRAM} --help`;
  throw new UsageError(
    `unknown command ${quoteWord(name)}${suggest(name, words, hint)}`,
  );
}
