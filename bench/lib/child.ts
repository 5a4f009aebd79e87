import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import process from "node:process";

// Every child has a process group of its own, which is ended by its number:
// what a child has started goes with it, and nothing else does.

const running = new Set<ChildProcess>();

function end(child: ChildProcess): void {
  if (!running.delete(child)) return;
  try {
    process.kill(-child.pid!, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

process.on("exit", () => running.forEach(end));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => process.exit(1));
}

/** Whether a program can be called by its name. */
export function hasProgram(name: string): boolean {
  return !spawnSync(name, ["--version"], { stdio: "ignore" }).error;
}

/** Whether server and client are kept apart, each on a CPU of its own. */
export const isPinned: boolean = availableParallelism() > 1 &&
  hasProgram("taskset");

/** The CPU of servers and that of their clients. */
export const SERVER_CPU = 0, CLIENT_CPU = 1;

/** How a program is run. */
export interface ChildOptions {
  /** Variables beside our own. None by default. */
  readonly env?: Readonly<Record<string, string>>;
  /** The CPU that it is kept on, where that can be. Any by default. */
  readonly cpu?: number;
  /** The folder to run in. Default: the current one. */
  readonly cwd?: string;
}

/** A program that runs. */
export interface Child {
  readonly pid: number;
  readonly stdin: NodeJS.WritableStream;
  /** Resolves once the output matches, with the match; rejects when it ends before, or takes too long. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with standard output when it has ended by itself, and rejects when that was in failure. */
  readonly ended: Promise<string>;
  /** Ends it with all that it has started. */
  stop(): Promise<void>;
}

/** How long a side may take until it answers, in milliseconds: a million plants take their time. */
const PATIENCE = 180_000;

/** Starts a program. */
export function start(
  command: readonly string[],
  { env = {}, cpu, cwd }: ChildOptions = {},
): Child {
  const pin = cpu !== undefined && isPinned ? ["taskset", "-c", `${cpu}`] : [];
  const [program = "", ...args] = [...pin, ...command];
  const child = spawn(program, args, {
    detached: true, // a process group of its own
    env: { ...process.env, NODE_ENV: "production", NO_COLOR: "1", ...env },
    stdio: ["pipe", "pipe", "pipe"],
    ...cwd !== undefined && { cwd },
  });
  running.add(child);
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text) => output += text);
  child.stderr.setEncoding("utf8").on("data", (text) => errors += text);
  child.stdin.on("error", () => {}); // it may end before it has read all

  const ended = new Promise<string>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => {
      running.delete(child);
      if (status === 0) resolve(output);
      else reject(new Error(`"${command.join(" ")}" failed: ${errors.trim()}`));
    });
  });
  ended.catch(() => {}); // whom it concerns waits for it

  function until(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      function check(): void {
        const match = pattern.exec(output);
        if (!match) return;
        forget();
        resolve(match);
      }
      function fail(reason: string): void {
        forget();
        const said = `${output}${errors}`.trim().slice(-2_000);
        reject(new Error(`"${command.join(" ")}" ${reason}: ${said}`));
      }
      const end = () => fail("ended before it was ready");
      const failure = (error: Error) => fail(error.message);
      const timer = setTimeout(fail, PATIENCE, "was not ready in time");
      function forget(): void {
        clearTimeout(timer);
        child.stdout.off("data", check);
        child.off("close", end).off("error", failure);
      }
      child.stdout.on("data", check);
      child.on("close", end).on("error", failure);
      check();
    });
  }

  return {
    pid: child.pid ?? 0,
    stdin: child.stdin,
    until,
    ended,
    async stop() {
      end(child);
      await ended.catch(() => {});
    },
  };
}

/** Runs a program to its end, and gives what it wrote to standard output. */
export function run(
  command: readonly string[],
  options?: ChildOptions,
): Promise<string> {
  return start(command, options).ended;
}
