import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { findPort } from "../examples/host.ts";

/** What a command came to. */
export interface Result {
  /** Its exit status; undefined where it goes on, since it listens. */
  readonly status: number | undefined;
  /** What it printed, on standard error too. */
  readonly output: string;
}

/** A reader who types commands in one folder. */
export interface Shell {
  readonly folder: string;
  /** Ends what listens, unless the section is still the same. */
  enter(section: string): Promise<void>;
  /**
   * Runs commands to their end, or until one listens and all that it has to
   * print is there. Variables and the folder are those of the commands before.
   */
  run(text: string, isAll?: (output: string) => boolean): Promise<Result>;
  close(): Promise<void>;
}

/** How long, in milliseconds, commands may take. */
const PATIENCE = 120_000;

/** What a server prints once it answers. */
const LISTENING = /^(?:Listening on|Plants at) .*\n/m;

/** What stands for Deno, of which there may be no command. */
const DENO = '#!/bin/sh\nexec npx --yes deno@2.9.6 "$@"\n';

/** The port of the documents, for which a free one stands. */
const PORT = 8000;

/** Opens a shell in a folder. */
export async function openShell(folder: string): Promise<Shell> {
  const own = await mkdtemp(join(tmpdir(), "plant-store-shell-"));
  const bin = join(own, "bin"), state = join(own, "state");
  await mkdir(bin);
  await writeFile(join(bin, "deno"), DENO, { mode: 0o755 });
  await writeFile(state, `cd '${folder}'\n`);
  // As on a terminal, where what is printed comes without a meter.
  await writeFile(join(own, ".curlrc"), "no-progress-meter\n");
  const port = await findPort();
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env["PATH"]}`,
    PORT: `${port}`,
    CURL_HOME: own,
    DATABASE_URL: "", // that of the tests is for those that name it
    NO_COLOR: "1",
    NODE_NO_WARNINGS: "1",
    NODE_TEST_CONTEXT: undefined, // else tests in it would report to this one
    npm_config_update_notifier: "false",
  };
  let section = "";
  const servers: ChildProcess[] = [];

  /** What was printed, without what differs from run to run. */
  function clean(output: string): string {
    return output.replaceAll(/^npm warn .*\n/gm, "")
      .replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${PORT}`);
  }

  async function run(
    text: string,
    isAll: (output: string) => boolean = () => true,
  ): Promise<Result> {
    const script = `exec 2>&1\n. '${state}'\nset -ea\n${
      text.replaceAll(`127.0.0.1:${PORT}`, `127.0.0.1:${port}`)
    }\nset +a\n{ export -p; echo "cd '$PWD'"; } > '${state}'\n`;
    const child = spawn("sh", ["-c", script], {
      env,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const { status, output } = await watch(
      child,
      (output) => LISTENING.test(output) && isAll(clean(output)),
    );
    if (status === undefined) servers.push(child);
    return { status, output: clean(output) };
  }

  async function endServers(): Promise<void> {
    for (const server of servers.splice(0)) await endGroup(server);
  }

  return {
    folder,
    async enter(next) {
      if (next !== section) await endServers();
      section = next;
    },
    run,
    async close() {
      await endServers();
      await rm(own, { recursive: true });
    },
  };
}

/** Resolves when a command has ended, or has printed what it has to and goes on. */
function watch(
  child: ChildProcess,
  isAll: (output: string) => boolean,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let output = "";
    const timer = setTimeout(async () => {
      await endGroup(child);
      reject(new Error(`it took too long: ${output}`));
    }, PATIENCE);
    child.stdout!.setEncoding("utf8").on("data", (data: string) => {
      output += data;
      // What follows at once belongs to it too.
      if (isAll(output)) setTimeout(done, 300, undefined);
    });
    child.on("close", (status) => done(status ?? 1));
    function done(status: number | undefined): void {
      clearTimeout(timer);
      resolve({ status, output });
    }
  });
}

/** Ends a command and all that it started. */
async function endGroup(child: ChildProcess): Promise<void> {
  const closed = new Promise((resolve) => child.once("close", resolve));
  if (child.exitCode !== null || child.signalCode !== null) return;
  process.kill(-child.pid!, "SIGTERM");
  const timer = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), 10_000);
  await closed;
  clearTimeout(timer);
}
