import metadata from "../../package.json" with { type: "json" };
import { StoreFileError } from "../stores/files.ts";
import { COMMANDS, findCommand } from "./commands.ts";
import { writeHelp } from "./help.ts";
import { print } from "./output.ts";
import { type Env, parseOptions, UsageError } from "./parse_options.ts";
import { describeProblems } from "./describe_problems.ts";
import { checkNpm, explainDenied } from "./invocation.ts";

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
    return reportError(error);
  }
}

/** Prints an error, with one line for each problem in a file. Returns the exit status. */
function reportError(error: unknown): number {
  if (error instanceof StoreFileError) {
    for (const line of describeProblems(error, "plant-store: ")) {
      console.error(line);
    }
    return 1;
  }
  const [message] = (error as Error).message.split("\n");
  print(explainDenied(message!));
  return error instanceof UsageError ? 2 : 1;
}
