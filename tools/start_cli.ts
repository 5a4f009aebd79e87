import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import process from "node:process";
import { excerpt } from "./excerpt.ts";
import { until } from "./until.ts";

const isDeno = "Deno" in globalThis;
const isBun = "Bun" in globalThis;

/** The option of Deno that tests/main.ts needs because JSR may be unreachable. */
export const IMPORT_MAP: readonly string[] = process.env["IMPORT_MAP"]
  ? [`--import-map=${resolve(process.env["IMPORT_MAP"])}`]
  : [];

/** The arguments to run a module from any folder. */
const RUN: readonly string[] = isDeno
  ? ["run", "--allow-all", ...IMPORT_MAP]
  : isBun
  ? []
  : ["--import", import.meta.resolve("tsx")];

/** The arguments to run the command line: the sources, or on Node.js a bundle. */
export const COMMAND: readonly string[] =
  !isDeno && !isBun && process.env["CLI"]
    ? [resolve(process.env["CLI"])]
    : [...RUN, resolve("src/cli/main.ts")];

/** A running command. */
export interface Running {
  readonly process: ChildProcess;
  /** Resolves to the match once the output matches; rejects if it never does. */
  until(stream: "stdout" | "stderr", pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal. */
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the process has exited. */
  readonly ended: Promise<Ended>;
}

/** The result of a command. */
export interface Ended {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the command line, or another module. */
export function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = ".",
  module?: string,
): Running {
  const command = module === undefined ? COMMAND : [...RUN, resolve(module)];
  // Only tests that set it use a database.
  const { DATABASE_URL: _, ...inherited } = process.env;
  return watch(spawn(process.execPath, [...command, ...args], {
    cwd,
    env: { ...inherited, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  }));
}

/** Sends a signal to a process, or to a group if the ID is negative, unless it has exited. */
export function kill(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Collects the output of a process. */
export function watch(child: ChildProcess): Running {
  const output = { stdout: "", stderr: "" };
  let hasEnded = false;
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]!.on("data", (data: Uint8Array) => {
      output[stream] += new TextDecoder().decode(data);
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (status, signal) => {
      hasEnded = true;
      resolve({ status, signal, ...output });
    });
  });
  return {
    process: child,
    // On Deno, `child.kill` would also set the signal that `close` reports.
    kill: (signal) => kill(child.pid!, signal),
    ended,
    async until(stream, pattern) {
      const find = () => pattern.exec(output[stream]);
      await until(() => find() !== null || hasEnded).catch(() => {});
      const match = find();
      if (match) return match;
      const why = hasEnded ? `exited before ${pattern}` : `no ${pattern}`;
      const [stdout, stderr] = [output.stdout, output.stderr].map(excerpt);
      throw new Error(`${why}: stdout ${stdout}, stderr ${stderr}`);
    },
  };
}

/** Runs the command line until it exits. */
export function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = ".",
): Promise<Ended> {
  return start(args, env, cwd).ended;
}

/** Starts a server on a free port; the test stops it. */
export async function startServer(
  t: { after(fn: () => unknown): void },
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  cwd = ".",
): Promise<Running & { readonly url: string; readonly port: number }> {
  const running = start(["--port", "0", ...args], env, cwd);
  stopAfter(t, running);
  const [, url] = await running.until("stdout", /^Listening on (.*)\n.+\n/);
  return { ...running, url: url!, port: Number(new URL(url!).port) };
}

/** Stops a process when the test ends. */
export function stopAfter(
  t: { after(fn: () => unknown): void },
  running: Running,
): void {
  t.after(async () => {
    running.kill("SIGKILL");
    await running.ended;
  });
}
