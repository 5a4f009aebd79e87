import { chmod, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { makeFolder } from "../../support/files.ts";
import { findPort } from "../../support/port.ts";
import { requireProgram, runProgram } from "../../support/program.ts";

/** A primary and its standby, from Debian's PostgreSQL. */
export interface Pair {
  readonly primary: Server;
  readonly standby: Server;
}

/** A PostgreSQL server. */
export interface Server {
  readonly url: string;
  start(): Promise<void>;
  /** Stops the server: `fast` disconnects clients, `immediate` is a crash. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Pauses or continues all processes of the server. */
  signal(signal: "SIGSTOP" | "SIGCONT"): Promise<void>;
}

/** Debian's folder with a folder for each version of PostgreSQL. */
const VERSIONS = "/usr/lib/postgresql";

const SETTINGS: readonly string[] = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "fsync=off",
];

/** Starts both servers on free ports and stops them when the tests end. */
export async function startPair(
  t: { after(fn: () => unknown): void },
): Promise<Pair> {
  const versions = await readdir(VERSIONS).catch(() => []);
  const newest = Math.max(0, ...versions.map(Number));
  const programs = join(VERSIONS, `${newest}`, "bin");
  requireProgram(join(programs, "pg_ctl"), "postgresql");
  requireProgram("ps", "procps");

  const folder = await makeFolder(t);
  await chmod(folder, 0o777); // as root, the servers run as another user
  const data = join(folder, "primary"), copy = join(folder, "standby");
  const port = await findPort();
  const primary = describe(programs, data, port);
  const standby = describe(programs, copy, await findPort());
  for (const server of [standby, primary]) {
    t.after(() => server.stop("immediate").catch(() => {})); // may be stopped
  }
  await runAsUser(join(programs, "initdb"), [
    ...["--pgdata", data, "--username=plants", "--auth=trust"],
    ...["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"],
  ]);
  await primary.start();
  await runAsUser(join(programs, "pg_basebackup"), [
    ...["--host=127.0.0.1", "--username=plants", `--port=${port}`],
    ...["--pgdata", copy, "-R", "-X", "stream", "-c", "fast", "--no-sync"],
  ]);
  await standby.start();
  return { primary, standby };
}

function describe(programs: string, data: string, port: number): Server {
  const control = (...args: readonly string[]) =>
    runAsUser(join(programs, "pg_ctl"), ["--pgdata", data, "--wait", ...args]);
  const settings = [`port=${port}`, ...SETTINGS].map((each) => `-c ${each}`);
  return {
    url: `postgres://plants@127.0.0.1:${port}/postgres`,
    start: () =>
      control("--options", settings.join(" "), "--log", `${data}.log`, "start"),
    stop: (mode) => control("--mode", mode, "stop"),
    async signal(signal) {
      const file = await readFile(join(data, "postmaster.pid"), "utf8");
      const pid = file.split("\n")[0]!;
      const { stdout } = await runProgram("ps", ["-o", "pid=", "--ppid", pid]);
      for (const each of [pid, ...stdout.trim().split(/\s+/)]) {
        process.kill(Number(each), signal);
      }
    },
  };
}

/** Runs a program of PostgreSQL, which does not accept root. */
async function runAsUser(
  program: string,
  args: readonly string[],
): Promise<void> {
  if (process.getuid!() !== 0) await runProgram(program, args);
  else await runProgram("runuser", ["-u", "postgres", "--", program, ...args]);
}
