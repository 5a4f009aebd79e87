import { COMMANDS } from "./commands.ts";
import type { Options } from "./options.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** Returns the text for `--help`. */
export function writeHelp(): string {
  const commands = Array.from(
    COMMANDS,
    ([name, { operands = "", help }]) => [`${name} ${operands}`.trim(), help],
  );
  return `Usage: plant-store [COMMAND] [OPTIONS]

Serve a sample HTTP API that lists the plants a bearer token gives access to.

Commands:
${toTable([...commands, ["help", "Print this help"]])}

Options for serve:
${describeOptions(SERVE_OPTIONS)}

Global options:
${
    toTable([
      ["-h, --help", "Print this help, or the help for a command"],
      ["-v, --version", "Print the version"],
    ])
  }

Options override the environment variables listed next to them.

Examples:
  plant-store --port 8001 --log requests
  plant-store user set gardener --tag herb
  plant-store token add gardener --expires 30d
`;
}

/** Returns the help for a command. */
export async function writeCommandHelp(name: string): Promise<string> {
  const { help, load } = COMMANDS.get(name)!;
  const { operands, options } = await load();
  const hasOptions = Object.keys(options).length > 0;
  const usage = ["plant-store", name, ...operands];
  if (hasOptions) usage.push("[OPTIONS]");
  const table = hasOptions ? `\nOptions:\n${describeOptions(options)}\n` : "";
  return `Usage: ${usage.join(" ")}\n\n${help}\n${table}`;
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

/** Formats rows as a table with aligned columns. */
function toTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) =>
    Math.max(...rows.map((row) => row[column]!.length))
  );
  return rows.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column]!));
    return `  ${cells.join("  ").trimEnd()}`;
  }).join("\n");
}
