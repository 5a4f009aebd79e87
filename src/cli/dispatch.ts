import metadata from "../../package.json" with { type: "json" };
import { suggest } from "../shared/suggest.ts";
import { StoreFileError } from "../stores/files.ts";
import { checkCommand } from "./check_command.ts";
import type { Command } from "./command.ts";
import { printProblems } from "./describe_problems.ts";
import { gradeCommand } from "./grade/grade_command.ts";
import { importCommand } from "./import_command.ts";
import { initCommand } from "./init_command.ts";
import { checkNpm, explainDenied, PROGRAM } from "./invocation.ts";
import { print, toTable } from "./output.ts";
import {
  type Env,
  type Options,
  parseOptions,
  quoteWord,
  UsageError,
} from "./parse_options.ts";
import { serveCommand } from "./serve_command.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
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

/** Runs the command line. Returns the exit status if it has failed. */
export async function dispatch(
  args: readonly string[],
  env: Env,
): Promise<number | void> {
  try {
    // Some versions of npm pass through the `--` that ends their own options.
    const own = args[0] === "--" ? args.slice(1) : args;
    const flags = own.slice(0, [...own, "--"].indexOf("--"));
    if (flags.includes("-v") || flags.includes("--version")) {
      return console.log(metadata.version);
    }
    if (flags.includes("-h") || flags.includes("--help") || own[0] === "help") {
      const words = own.filter((arg) => !/^(?:-h|--help|help)$/.test(arg));
      return console.log(writeHelp(words));
    }
    const { options } = COMMANDS.get(own[0] ?? "") ?? COMMANDS.get("serve")!;
    checkNpm(options); // first, because npm can also leave a value as a positional
    const { name = "serve", rest } = findCommand(own);
    const command = COMMANDS.get(name)!;
    const line = parseOptions(command, rest, env);
    return await command.run(line, ...line.positionals);
  } catch (error) {
    return reportError(error, env);
  }
}

/** Prints an error, with one line for each problem in a file. Returns the exit status. */
function reportError(error: unknown, env: Env): number {
  if (error instanceof StoreFileError) {
    printProblems(error, env);
    return 1;
  }
  const [message] = (error as Error).message.split("\n");
  print(explainDenied(message!));
  return error instanceof UsageError ? 2 : 1;
}

/**
 * Finds the command in the arguments.
 *
 * @returns The name of the command (`undefined` if there is none) and the other arguments.
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

/** Returns the help for the command in `words`, if any. */
function writeHelp(words: readonly string[]): string {
  const { name } = findCommand(words);
  if (name !== undefined) return writeCommandHelp(name);
  const commands = Array.from(COMMANDS, ([name, { help, positional = "" }]) => [
    `${name} ${positional}`,
    help,
  ]);
  return `Usage: plant-store [COMMAND] [OPTIONS]

Serves a sample HTTP API that lists the plants that a bearer token gives access to.
Its data is two JSON files that you edit: plants, and users with their tokens.

Commands:
${toTable([...commands, ["help", "Print this help"]])}

Options for serve:
${describeOptions(SERVE_OPTIONS)}

Global options:
  -h, --help     Print this help, or the help for a command
  -v, --version  Print the version

Options override the environment variables listed next to them.

Examples:
  ${PROGRAM} --port 8001 --log requests
  ${PROGRAM} token --expires 30d`;
}

function writeCommandHelp(name: string): string {
  const { help, positional, options, notes } = COMMANDS.get(name)!;
  const usage = ["Usage: plant-store", name, positional ?? []].flat().join(" ");
  if (Object.keys(options).length === 0) return `${usage}\n\n${help}`;
  const end = notes === undefined ? "" : `\n\n${notes}`;
  return `${usage} [OPTIONS]\n\n${help}\n\nOptions:\n${
    describeOptions(options)
  }${end}`;
}

function describeOptions(options: Options): string {
  return toTable(
    Object.entries(options).map(([name, option]) => [
      option.value === undefined ? `--${name}` : `--${name} ${option.value}`,
      option.env ?? "",
      option.default === undefined
        ? option.help
        : `${option.help} (default: ${option.default})`,
    ]),
  );
}
