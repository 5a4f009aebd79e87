#!/usr/bin/env node
/**
 * The command-line program.
 *
 * @module
 */
import process from "node:process";
import metadata from "../../package.json" with { type: "json" };
import { COMMANDS, findCommand } from "./commands.ts";
import { writeCommandHelp, writeHelp } from "./help.ts";
import type { Env } from "./options.ts";
import { handleOutputErrors, reportError } from "./problems.ts";

/** Runs a command. Returns the exit status, or `undefined` to keep running. */
async function main(args: readonly string[]): Promise<number | undefined> {
  const end = args.indexOf("--");
  const flags = new Set(end === -1 ? args : args.slice(0, end));
  if (flags.has("-v") || flags.has("--version")) {
    console.log(metadata.version);
    return 0;
  }
  const isHelp = flags.has("-h") || flags.has("--help") || args[0] === "help";
  const { name, rest } = findCommand(
    isHelp ? args.filter((arg) => !/^(?:-h|--help|help)$/.test(arg)) : args,
  );
  if (isHelp) {
    process.stdout.write(
      name === undefined ? writeHelp() : await writeCommandHelp(name),
    );
    return 0;
  }
  const command = await COMMANDS.get(name ?? "serve")!.load();
  return await command.run(rest, process.env as Env);
}

handleOutputErrors();

try {
  const args = process.argv.slice(2);
  // Some versions of npm pass through the `--` that ends their own options.
  const status = await main(args[0] === "--" ? args.slice(1) : args);
  if (status !== undefined) process.exitCode = status;
} catch (error) {
  process.exitCode = reportError(error);
}
