import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { type Ended, watch } from "../support/command.ts";
import type { Service } from "./model.ts";

/** How `src/cli/main.ts` is run on each runtime. */
const COMMANDS: Readonly<Record<Service["runtime"], readonly string[]>> = {
  node: [process.execPath, "--import", "tsx"],
  deno: [
    ...["npx", "--yes", "deno@2.9.6", "run", "--allow-all"],
    ...["--import-map=tools/deno.offline.json"],
  ],
  bun: ["npx", "--yes", "bun@1.4.5"],
};

// What ends us ends the servers too: they hear of our exit alone.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => process.exit(1));
}

/** A server under test: a process of its own. */
export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  /** Whether it has ended. */
  hasEnded(): boolean;
  /** Sends a message to the module that was loaded before the server, and resolves with its response. */
  ask(): Promise<unknown>;
  /** Ends it as an operator would. */
  stop(): Promise<Ended>;
}

/**
 * Starts `serve` with these arguments.
 *
 * @param nodeArgs Additional arguments of Node.
 */
export async function startServer(
  runtime: Service["runtime"],
  args: readonly string[],
  nodeArgs: readonly string[] = [],
): Promise<ServerProcess> {
  const [program = "", ...rest] = COMMANDS[runtime];
  const child = spawn(
    program,
    [...rest, ...nodeArgs, "src/cli/main.ts", "serve", "--port", "0", ...args],
    {
      detached: true, // a process group: npx has children of its own
      env: { ...process.env, NO_COLOR: "1", DATABASE_URL: "" },
      stdio: [
        "ignore",
        "pipe",
        "pipe",
        ...nodeArgs.length > 0 ? ["ipc" as const] : [],
      ],
    },
  );
  const running = watch(child);
  let hasEnded = false;
  running.ended.then(() => hasEnded = true);
  const kill = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };
  process.on("exit", () => kill("SIGKILL"));
  const [, port] = await running.until("stdout", /^Listening on .*:(\d+)\//m);
  return {
    pid: child.pid!,
    port: Number(port),
    hasEnded: () => hasEnded,
    async ask() {
      child.send("ask");
      const [message] = await once(child, "message");
      return message;
    },
    async stop() {
      kill("SIGTERM");
      const timer = setTimeout(kill, 15_000, "SIGKILL");
      const ended = await running.ended;
      clearTimeout(timer);
      return ended;
    },
  };
}
