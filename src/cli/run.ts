import process from "node:process";
import metadata from "../../package.json" with { type: "json" };
import { runCommand } from "./commands.ts";
import { writeHelp } from "./help.ts";
import type { Env } from "./options.ts";
import { handleOutputErrors, reportError } from "./problems.ts";

/** Runs a command. Returns the exit status if the command has failed. */
async function run(args: readonly string[]): Promise<number | void> {
  const flags = args.slice(0, [...args, "--"].indexOf("--"));
  if (flags.includes("-v") || flags.includes("--version")) {
    return console.log(metadata.version);
  }
  if (flags.includes("-h") || flags.includes("--help") || args[0] === "help") {
    const words = args.filter((arg) => !/^(?:-h|--help|help)$/.test(arg));
    return console.log(await writeHelp(words));
  }
  return await runCommand(args, process.env as Env);
}

handleOutputErrors();

try {
  const args = process.argv.slice(2);
  // Some versions of npm pass through the `--` that ends their own options.
  const status = await run(args[0] === "--" ? args.slice(1) : args);
  if (status) process.exitCode = status;
} catch (error) {
  process.exitCode = reportError(error);
}
