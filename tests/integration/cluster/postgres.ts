import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { findPort } from "../deploy/nginx.ts";
import { need, run } from "../deploy/programs.ts";

/** A primary and a standby that follows it, of Debian's PostgreSQL. */
export interface Pair {
  readonly primary: Server;
  readonly standby: Server;
}

/** A PostgreSQL server. */
export interface Server {
  readonly url: string;
  start(): Promise<void>;
  /** Stops it: `fast` sends away who is connected, `immediate` is a crash. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Stops all of its processes where they are, so that nothing is answered, or lets them go on. */
  signal(signal: "SIGSTOP" | "SIGCONT"): Promise<void>;
}

/** Where Debian has PostgreSQL, in a folder for each version. */
const VERSIONS = "/usr/lib/postgresql";

/** What both are started with: a test loses nothing where a machine does. */
const SETTINGS: readonly string[] = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "fsync=off",
];

/** Starts both on free ports of this machine; the test ends them. */
export async function startPair(
  t: { after(fn: () => unknown): void },
): Promise<Pair> {
  const programs = await findPrograms();
  const folder = await mkdtemp(join(tmpdir(), "plant-store-cluster-"));
  await chmod(folder, 0o777); // as root, the servers run as another user
  const ports = [await findPort(), await findPort()] as const;
  const [primary, standby] = ports.map((port, at) =>
    describe(programs, join(folder, `${at}`), port)
  ) as [Server, Server];
  t.after(async () => {
    for (const server of [standby, primary]) {
      await server.stop("immediate").catch(() => {}); // it may be stopped
    }
    await rm(folder, { recursive: true });
  });
  await runAsUser(join(programs, "initdb"), [
    ...["--pgdata", join(folder, "0"), "--username=plants", "--auth=trust"],
    ...["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"],
  ]);
  await primary.start();
  await runAsUser(join(programs, "pg_basebackup"), [
    ...["--host=127.0.0.1", "--username=plants", `--port=${ports[0]}`],
    ...["--pgdata", join(folder, "1"), "-R", "-X", "stream", "-c", "fast"],
    "--no-sync",
  ]);
  await standby.start();
  return { primary, standby };
}

/** The programs of the newest version; none of them is in `PATH`. */
async function findPrograms(): Promise<string> {
  const versions = await readdir(VERSIONS).catch(() => []);
  const newest = Math.max(0, ...versions.map(Number));
  const programs = join(VERSIONS, `${newest}`, "bin");
  need(join(programs, "pg_ctl"), "postgresql");
  need("ps", "procps");
  return programs;
}

function describe(programs: string, data: string, port: number): Server {
  const control = (...args: readonly string[]) =>
    runAsUser(join(programs, "pg_ctl"), ["--pgdata", data, "--wait", ...args]);
  const settings = [`port=${port}`, ...SETTINGS].map((each) => `-c ${each}`);
  return {
    url: `postgres://plants@127.0.0.1:${port}/postgres`,
    async start() {
      const options = settings.join(" ");
      await control("--options", options, "--log", `${data}.log`, "start");
    },
    async stop(mode) {
      await control("--mode", mode, "stop");
    },
    async signal(signal) {
      const file = await readFile(join(data, "postmaster.pid"), "utf8");
      const pid = file.split("\n")[0]!;
      const { stdout } = await run("ps", ["-o", "pid=", "--ppid", pid]);
      for (const each of [pid, ...stdout.trim().split(/\s+/)]) {
        process.kill(Number(each), signal);
      }
    },
  };
}

/** Runs a program as the user that PostgreSQL needs: it refuses to run as root. */
async function runAsUser(
  program: string,
  args: readonly string[],
): Promise<void> {
  if (process.getuid!() !== 0) await run(program, args);
  else await run("runuser", ["-u", "postgres", "--", program, ...args]);
}
