import process from "node:process";
import metadata from "../../package.json" with { type: "json" };
import { describeOptions, SERVE_OPTIONS, UsageError } from "./options.ts";
import { runServe } from "./serve.ts";

const HELP = `A plant store over HTTP, to demonstrate and teach HTTP APIs with

plant-store [serve] [options]

${describeOptions(SERVE_OPTIONS)}
  --help
  --version

A variable counts where its option is not given. Options and their defaults
are explained in README.md.
`;

/** Runs the command that `args` name, and gives the status to exit with; undefined to go on. */
async function main(args: readonly string[]): Promise<number | undefined> {
  if (args.includes("--help")) {
    process.stdout.write(HELP);
    return 0;
  }
  if (args.includes("--version")) {
    console.log(metadata.version);
    return 0;
  }
  const [command = "serve", ...rest] = args;
  if (command.startsWith("-")) return await runServe(args);
  if (command === "serve") return await runServe(rest);
  throw new UsageError(`unknown command ${JSON.stringify(command)}`);
}

// A reader that goes away, such as `head`, is no reason to stop.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

try {
  const status = await main(
    process.argv.slice(2).filter((arg) => arg !== "--"),
  );
  if (status !== undefined) process.exitCode = status;
} catch (error) {
  const isUsage = error instanceof UsageError;
  const message = error instanceof Error ? error.message : String(error);
  const hint = isUsage ? " (--help lists what there is)" : "";
  console.error(`plant-store: ${message.split("\n")[0]}${hint}`);
  process.exitCode = isUsage ? 2 : 1;
}
