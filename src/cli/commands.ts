import { suggest } from "../shared/suggest.ts";
import { checkNpm } from "./npm.ts";
import { PROGRAM } from "./program.ts";
import type { Command } from "./command.ts";
import {
  type Env,
  parseOptions,
  quoteWord,
  UsageError,
} from "./parse_options.ts";

/** The functions that load the commands, in the order in which the help lists them. */
export const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["serve", async () => (await import("./serve_command.ts")).serveCommand],
  ["init", async () => (await import("./init_command.ts")).initCommand],
  ["check", async () => (await import("./check_command.ts")).checkCommand],
  ["token", async () => (await import("./token_command.ts")).tokenCommand],
  ["import", async () => (await import("./import_command.ts")).importCommand],
  [
    "openapi",
    async () => (await import("./openapi_command.ts")).openapiCommand,
  ],
  [
    "verify",
    async () => (await import("./verify/verify_command.ts")).verifyCommand,
  ],
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
  const [first] = args;
  if (first === undefined || first.startsWith("-")) {
    return { name: undefined, rest: args };
  }
  if (COMMANDS.has(first)) return { name: first, rest: args.slice(1) };
  const words = [...COMMANDS.keys(), "help"];
  const hint = /^[^:]*[./]/.test(first)
    ? "to serve files, use --plants FILE --tokens FILE"
    : `to list all commands, run: ${PROGRAM} --help`;
  throw new UsageError(
    `unknown command ${quoteWord(first)}${suggest(first, words, hint)}`,
  );
}

/** Runs the command in the arguments. Returns the exit status if it has failed. */
export async function runCommand(
  args: readonly string[],
  env: Env,
): Promise<number | void> {
  const load = COMMANDS.get(args[0] ?? "serve") ?? COMMANDS.get("serve")!;
  const command = await load();
  const { options, positionals } = command;
  checkNpm(options); // first, because npm can also leave a value as a positional
  const { rest } = findCommand(args);
  const line = parseOptions(options, rest, env, positionals);
  return await command.run(line, ...line.positionals);
}
