import { quote } from "../domain/quote.ts";
import { suggest } from "../domain/suggest.ts";
import { PROGRAM } from "../stores/catalog/program.ts";
import type { Command } from "./command.ts";
import { type Env, parseOptions, quoteWord, UsageError } from "./options.ts";

/** The functions that load the commands, in the order in which the help lists them. */
export const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["serve", async () => (await import("./serve.ts")).serveCommand],
  ["init", async () => (await import("./init.ts")).initCommand],
  ["check", async () => (await import("./check.ts")).checkCommand],
  ["user set", async () => (await import("./user.ts")).userSet],
  ["user remove", async () => (await import("./user.ts")).userRemove],
  ["token add", async () => (await import("./token.ts")).tokenAdd],
  ["token list", async () => (await import("./token.ts")).tokenList],
  ["token revoke", async () => (await import("./token.ts")).tokenRevoke],
  ["import", async () => (await import("./import_export.ts")).importCommand],
  ["export", async () => (await import("./import_export.ts")).exportCommand],
  ["openapi", async () => (await import("./openapi.ts")).openapiCommand],
  ["verify", async () => (await import("./verify.ts")).verifyCommand],
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

/** Runs the command in the arguments. Returns the exit status if it has failed. */
export async function runCommand(
  args: readonly string[],
  env: Env,
): Promise<number | void> {
  const { name = "serve", rest } = findCommand(args);
  const command = await COMMANDS.get(name)!();
  const { options, operands } = command;
  const line = parseOptions(options, rest, env, operands);
  return await command.run(line, ...line.operands);
}

/** Returns the names of the commands in a group, such as `token`. */
export function listGroup(group: string | undefined): readonly string[] {
  return [...COMMANDS.keys()].filter((name) => name.startsWith(`${group} `));
}
