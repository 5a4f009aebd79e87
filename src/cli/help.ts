import { PROGRAM } from "./invocation.ts";
import { COMMANDS, findCommand } from "./commands.ts";
import type { Options } from "./parse_options.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
import { toTable } from "./output.ts";

/** Returns the help for the command in `words`, if any. */
export function writeHelp(words: readonly string[]): string {
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
