#!/usr/bin/env node
import process from "node:process";
import metadata from "../../package.json" with { type: "json" };
import { StoreFileError } from "../stores/file_error.ts";
import type { Command } from "./command.ts";
import { describeOptions, type Env, UsageError } from "./options.ts";
import { toLines } from "./problems.ts";

/** The commands by the words that call them. A module is loaded for its own command alone. */
const COMMANDS: ReadonlyMap<
  string,
  { readonly help: string; load(): Promise<Command> }
> = new Map([
  ["serve", {
    help: "answers HTTP requests; the command where none is named",
    load: async () => (await import("./serve.ts")).serveCommand,
  }],
  ["check", {
    help: "says what is wrong with the files",
    load: async () => (await import("./check.ts")).checkCommand,
  }],
  ["token add", {
    help: "makes a token for a user and prints it, this once",
    load: async () => (await import("./token.ts")).tokenAdd,
  }],
  ["token list", {
    help: "lists the users' tokens by their ids",
    load: async () => (await import("./token.ts")).tokenList,
  }],
  ["token revoke", {
    help: "takes a token of a user back, or all",
    load: async () => (await import("./token.ts")).tokenRevoke,
  }],
  ["user set", {
    help: "adds a user, or changes what a user may see",
    load: async () => (await import("./user.ts")).userSet,
  }],
  ["user remove", {
    help: "removes a user and the tokens",
    load: async () => (await import("./user.ts")).userRemove,
  }],
  ["import", {
    help: "brings the files into a database, in the place of what it holds",
    load: async () => (await import("./import.ts")).importCommand,
  }],
  ["export", {
    help: "writes what a database holds into the files",
    load: async () => (await import("./export.ts")).exportCommand,
  }],
  ["init", {
    help: "writes files to start from, and prints a token for them",
    load: async () => (await import("./init.ts")).initCommand,
  }],
  ["openapi", {
    help: "prints the OpenAPI document that serve answers with",
    load: async () => (await import("./openapi.ts")).openapiCommand,
  }],
]);

/** Runs the command that `args` name, and gives the status to exit with; undefined to go on. */
async function main(args: readonly string[]): Promise<number | undefined> {
  const [words, rest] = findCommand(args);
  const end = args.indexOf("--");
  const options = end === -1 ? args : args.slice(0, end);
  if (options.includes("--help")) {
    process.stdout.write(await describe(words));
    return 0;
  }
  if (options.includes("--version")) {
    console.log(metadata.version);
    return 0;
  }
  const found = COMMANDS.get(words ?? "serve");
  if (!found) throw new UsageError(`unknown command ${JSON.stringify(words)}`);
  const command = await found.load();
  return await command.run(rest, process.env as Env);
}

/** The words that name a command, undefined where there are none, and what follows them. */
function findCommand(
  args: readonly string[],
): readonly [words: string | undefined, rest: readonly string[]] {
  const [first, second] = args;
  if (first === undefined || first.startsWith("-")) return [undefined, args];
  const pair = `${first} ${second}`;
  if (COMMANDS.has(pair)) return [pair, args.slice(2)];
  return [first, args.slice(1)];
}

async function describe(words: string | undefined): Promise<string> {
  const found = COMMANDS.get(words ?? "");
  if (found) {
    const { operands, options } = await found.load();
    const line = ["plant-store", words, ...operands].join(" ");
    if (Object.keys(options).length === 0) return `${line}: ${found.help}\n`;
    return `${line} [options]: ${found.help}

${describeOptions(options)}

A variable counts where its option is not given.
`;
  }
  const width = Math.max(
    ...Array.from(COMMANDS.keys(), ({ length }) => length),
  );
  const rows = Array.from(
    COMMANDS,
    ([name, { help }]) => `  ${name.padEnd(width)}  ${help}`,
  );
  const serve = await COMMANDS.get("serve")!.load();
  return `A plant store over HTTP, to demonstrate and teach HTTP APIs with

plant-store [command] [options]

${rows.join("\n")}

Options of serve:

${describeOptions(serve.options)}

A variable counts where its option is not given. --help shows the options of a
command, --version the version.
`;
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader that goes away, such as `head`, is no reason to stop.
  if (error.code === "EPIPE") return;
  console.error(`plant-store: cannot write the output: ${error.message}`);
  process.exitCode = 1;
});
process.stderr.on("error", () => {});

try {
  const args = process.argv.slice(2);
  // Some versions of npm pass on the `--` that ends their own options.
  const status = await main(args[0] === "--" ? args.slice(1) : args);
  if (status !== undefined) process.exitCode = status;
} catch (error) {
  const isUsage = error instanceof UsageError;
  if (error instanceof StoreFileError) {
    for (const line of toLines(error)) console.error(line);
  } else {
    const message = error instanceof Error ? error.message : String(error);
    const hint = isUsage ? " (--help lists what there is)" : "";
    console.error(`plant-store: ${message.split("\n")[0]}${hint}`);
  }
  process.exitCode = isUsage ? 2 : 1;
}
