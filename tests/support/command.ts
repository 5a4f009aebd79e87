import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import process from "node:process";

const isDeno = "Deno" in globalThis;

/** What the runtime of the test needs to run a module, from whatever folder. */
const RUN: readonly string[] = isDeno
  ? [
    "run",
    "--allow-all",
    // Where JSR can't be reached, the test run names the map that stands in.
    ...process.env["IMPORT_MAP"]
      ? [`--import-map=${resolve(process.env["IMPORT_MAP"])}`]
      : [],
  ]
  : ["--import", import.meta.resolve("tsx")];

/** The command to run: the sources, or on Node.js a bundle of them. */
const COMMAND: readonly string[] = !isDeno && process.env["CLI"]
  ? [resolve(process.env["CLI"])]
  : [...RUN, resolve("src/cli/main.ts")];

/** How long, in milliseconds, what a command has to print may take. */
const PATIENCE = 120_000;

/** A command that runs. */
export interface Running {
  readonly process: ChildProcess;
  /** Resolves once standard output or standard error match, and gives the match; rejects when they don't in time. */
  until(stream: "stdout" | "stderr", pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal. */
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ended>;
}

/** A command that ran. */
export interface Ended {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the command line with these arguments and variables, in a folder. */
export function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = ".",
  module?: string,
): Running {
  const command = module === undefined ? COMMAND : [...RUN, resolve(module)];
  return watch(spawn(process.execPath, [...command, ...args], {
    cwd,
    // The database of the tests is for those that name it.
    env: { ...process.env, NO_COLOR: "1", DATABASE_URL: "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  }));
}

/** Watches a process that was started. */
export function watch(child: ChildProcess): Running {
  const output = { stdout: "", stderr: "" };
  const checks = new Set<() => void>();
  let hasEnded = false;
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]!.on("data", (data: Uint8Array) => {
      output[stream] += new TextDecoder().decode(data);
      for (const check of checks) check();
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (status, signal) => {
      hasEnded = true;
      for (const check of checks) check();
      resolve({ status, signal, ...output });
    });
  });
  return {
    process: child,
    kill(signal) {
      try {
        // Deno takes what `child.kill` sent for what the process ended by.
        process.kill(child.pid!, signal);
      } catch (error) {
        // It has ended already, though that may not have been told yet.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    },
    ended,
    until: (stream, pattern) =>
      new Promise((resolve, reject) => {
        function check(): void {
          const match = pattern.exec(output[stream]);
          if (match) resolve(match);
          else if (hasEnded) fail("ended");
          else return;
          checks.delete(check);
          clearTimeout(timer);
        }
        function fail(why: string): void {
          reject(new Error(`${why}: ${output.stdout}${output.stderr}`));
        }
        const timer = setTimeout(fail, PATIENCE, `${pattern} did not come`);
        checks.add(check);
        check();
      }),
  };
}

/** Runs the command line to its end. */
export function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = ".",
): Promise<Ended> {
  return start(args, env, cwd).ended;
}

/** Starts a server on a free port; the test ends it. */
export async function startServer(
  t: { after(fn: () => unknown): void },
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  cwd = ".",
): Promise<Running & { readonly url: string; readonly port: number }> {
  const running = start(["--port", "0", ...args], env, cwd);
  t.after(async () => {
    running.kill("SIGKILL");
    await running.ended;
  });
  const [, url] = await running.until("stdout", /^Listening on (.*)\n.+\n/);
  return { ...running, url: url!, port: Number(new URL(url!).port) };
}
