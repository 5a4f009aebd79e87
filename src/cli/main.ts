#!/usr/bin/env node
/**
 * The command-line program.
 *
 * @module
 */
import process from "node:process";
import metadata from "../../package.json" with { type: "json" };
import { StoreFileError } from "../stores/files/file_error.ts";
import { print } from "./command.ts";
import { COMMANDS, findCommand } from "./commands.ts";
import { writeCommandHelp, writeHelp } from "./help.ts";
import { type Env, UsageError } from "./options.ts";
import { toLines } from "./problems.ts";

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

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader such as `head` can close the pipe early.
  if (error.code === "EPIPE") return;
  print(`cannot write output: ${error.message}`);
  process.exitCode = 1;
});
process.stderr.on("error", () => {});

try {
  const args = process.argv.slice(2);
  // Some versions of npm pass through the `--` that ends their own options.
  const status = await main(args[0] === "--" ? args.slice(1) : args);
  if (status !== undefined) process.exitCode = status;
} catch (error) {
  if (error instanceof StoreFileError) {
    for (const line of toLines(error, "plant-store: ")) console.error(line);
  } else {
    const message = error instanceof Error ? error.message : String(error);
    print(message.split("\n")[0]!);
  }
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
