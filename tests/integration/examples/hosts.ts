import { readFile } from "node:fs/promises";
import process from "node:process";
import { BUN, DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { findPort } from "../../../tools/port.ts";
import { startProgram } from "../../../tools/start_program.ts";

/** A program that embeds Plant Store. */
export interface Host {
  readonly file: string;
  /** The runtime of the host. */
  readonly runtime: string;
  /** The command that runs the file; undefined for a module. */
  readonly command?: readonly string[];
}

const NODE = `node@${process.versions.node}`;

/** The runtimes of the commands in the README, and their commands in tests. */
const RUNTIMES = new Map<string, readonly [string, readonly string[]]>([
  ["node", [NODE, [process.execPath]]],
  // JSR may be unreachable.
  ["deno run --config deno.json", ["deno@2.9.6", [
    ...[...DENO, "run"],
    ...[`--import-map=${OFFLINE_MAP}`, "--node-modules-dir=none"],
  ]]],
  ["bun", ["bun@1.4.5", BUN]],
]);

const readme = await readFile("examples/README.md", "utf8");

/** The hosts in the README, with the commands in it. */
export const HOSTS: readonly Host[] = Array.from(
  readme.matchAll(/^\| \[(\w+\.ts)\].*\| `([^`]+)` +\|$/gm),
  ([, file, line]): Host => {
    if (line!.includes("wrangler")) return { file: file!, runtime: "workerd" };
    for (const [name, [runtime, start]] of RUNTIMES) {
      const suffix = ` examples/${file}`;
      if (!line!.startsWith(`${name} `) || !line!.endsWith(suffix)) continue;
      const options = line!.slice(name.length, -suffix.length).split(" ");
      const command = [...start, ...options.filter((each) => each !== "")];
      return { file: file!, runtime, command };
    }
    return { file: file!, runtime: NODE }; // it is imported
  },
);

/** Starts a host with a command and waits until it listens. */
export async function startHost(
  [program, ...args]: readonly string[],
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const port = await findPort();
  const env = { PORT: `${port}` };
  const { until, kill, ended } = startProgram(program!, args, { env });
  await until("stdout", /^Plants at .*\n/m);
  return {
    port,
    async close() {
      kill("SIGKILL");
      await ended;
    },
  };
}
