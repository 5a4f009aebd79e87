import { quote } from "../domain/quote.ts";
import { suggest } from "../domain/suggest.ts";
import { PROGRAM } from "../stores/catalog/program.ts";
import type { Command } from "./command.ts";
import { quoteWord, UsageError } from "./options.ts";

/** An entry in the command table. */
export interface CommandEntry {
  /** The operands, as shown in the help. */
  readonly operands?: string;
  readonly help: string;
  /** Loads the command's module. */
  load(): Promise<Command>;
}

/** The commands, in the order in which the help lists them. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map([
  ["serve", {
    help: "Start the server (default command)",
    load: async () => (await import("./serve_command.ts")).serveCommand,
  }],
  ["init", {
    operands: "[DIR]",
    help: "Create sample files in DIR (default: data) and print a token",
    load: async () => (await import("./init.ts")).initCommand,
  }],
  ["check", {
    help: "Validate the plants and tokens files",
    load: async () => (await import("./check.ts")).checkCommand,
  }],
  ["user set", {
    operands: "USER",
    help: "Add a user, or change the user's access and behavior",
    load: async () => (await import("./user.ts")).userSet,
  }],
  ["user remove", {
    operands: "USER",
    help: "Remove a user and all of the user's tokens",
    load: async () => (await import("./user.ts")).userRemove,
  }],
  ["token add", {
    operands: "USER",
    help: "Create a token and print it once",
    load: async () => (await import("./token.ts")).tokenAdd,
  }],
  ["token list", {
    help: "List all tokens with their IDs",
    load: async () => (await import("./token.ts")).tokenList,
  }],
  ["token revoke", {
    operands: "USER [ID]",
    help: "Revoke one token, or all of the user's tokens with --all",
    load: async () => (await import("./token.ts")).tokenRevoke,
  }],
  ["import", {
    help: "Replace the contents of the database with those of the files",
    load: async () => (await import("./import_export.ts")).importCommand,
  }],
  ["export", {
    help: "Write the contents of the database to the files",
    load: async () => (await import("./import_export.ts")).exportCommand,
  }],
  ["openapi", {
    help: "Print the OpenAPI document",
    load: async () => (await import("./openapi.ts")).openapiCommand,
  }],
  ["verify", {
    operands: "URL",
    help: "Check any implementation of the API",
    load: async () => (await import("./verify.ts")).verifyCommand,
  }],
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
): { readonly name: string | undefined; readonly rest: readonly string[] } {
  const [first, second] = args;
  if (first === undefined || first.startsWith("-")) {
    return { name: undefined, rest: args };
  }
  const pair = `${first} ${second}`;
  if (COMMANDS.has(pair)) return { name: pair, rest: args.slice(2) };
  if (COMMANDS.has(first)) return { name: first, rest: args.slice(1) };
  const group = listGroup(first);
  if (group.length > 0) {
    const unknown = second?.startsWith("-") === false ? pair : first;
    throw new UsageError(
      `unknown command ${quote(unknown)}${suggest(pair, group)}`,
    );
  }
  const words = [...COMMANDS.keys(), "help"].map((name) => name.split(" ")[0]!);
  const hint = `to list all commands, run: ${PROGRAM} --help`;
  throw new UsageError(
    `unknown command ${quoteWord(first)}${suggest(first, words, hint)}`,
  );
}

/** Returns the names of the commands in a group, such as `token`. */
export function listGroup(group: string | undefined): readonly string[] {
  return [...COMMANDS.keys()].filter((name) => name.startsWith(`${group} `));
}
