import { spawn } from "node:child_process";
import { chown, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pg from "pg";
import {
  type Ended,
  kill,
  type Running,
  start,
  watch,
} from "../../support/command.ts";
import type { Files } from "../../support/files.ts";
import { findPort } from "../../support/port.ts";
import { createCertificate } from "../deploy/certificate.ts";

type Test = { after(fn: () => unknown): void };

/** Characters that a URL must encode. */
const PASSWORD = "p@s/s:w#o%r?d &1";

/** PostgreSQL does not accept root, so that it runs as nobody. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A PostgreSQL server for tests, with TLS. */
export interface Database {
  readonly url: string;
  readonly port: number;
  up(): Promise<void>;
  down(): Promise<void>;
  /** Pauses or continues the server and all of its connections. */
  signal(signal: "SIGSTOP" | "SIGCONT"): Promise<void>;
}

/** Starts a server of Debian's newest PostgreSQL, which stops when the test ends. */
export async function startDatabase(t: Test): Promise<Database> {
  const versions = (await readdir("/usr/lib/postgresql")).map(Number);
  const programs = `/usr/lib/postgresql/${Math.max(...versions)}/bin`;
  const home = await mkdtemp(join(tmpdir(), "plant-store-"));
  await writeFile(join(home, "password"), PASSWORD);
  const { key, certificate } = await createCertificate(home, "localhost");
  for (const path of USER.uid ? [home, key, certificate] : []) {
    await chown(path, USER.uid!, USER.gid!);
  }
  const data = join(home, "data");
  const run = (name: string, ...args: string[]): Running =>
    watch(spawn(join(programs, name), args, {
      ...USER,
      cwd: home,
      stdio: ["ignore", "pipe", "pipe"],
    }));
  const { status, stderr } = await run(
    "initdb",
    ...["-D", data, "-U", "plants", "--auth=scram-sha-256", "--no-sync"],
    ...["--pwfile=password", "--encoding=UTF8", "--locale=C.UTF-8"],
  ).ended;
  if (status !== 0) throw new Error(stderr);

  const port = await findPort();
  const password = encodeURIComponent(PASSWORD);
  const url = `postgres://plants:${password}@127.0.0.1:${port}/postgres`;
  const settings = [
    ...["listen_addresses=127.0.0.1", "unix_socket_directories="],
    ...["fsync=off", "ssl=on", `ssl_cert_file=${certificate}`],
    ...[`ssl_key_file=${key}`, `port=${port}`],
  ].flatMap((setting) => ["-c", setting]);
  let running: Running;
  let paused: readonly number[] = [];
  async function up(): Promise<void> {
    running = run("postgres", "-D", data, ...settings);
    await running.until("stderr", /ready to accept connections/);
  }
  async function down(): Promise<void> {
    running.kill("SIGINT");
    await running.ended;
  }
  async function signal(signal: "SIGSTOP" | "SIGCONT"): Promise<void> {
    if (signal === "SIGSTOP") {
      const rows = await query(url, "select pid from pg_stat_activity");
      paused = [running.process.pid!, ...rows.map(({ pid }) => pid as number)];
    }
    for (const pid of paused) kill(pid, signal);
  }
  t.after(async () => {
    for (const pid of paused) kill(pid, "SIGCONT");
    await down();
    await rm(home, { recursive: true });
  });
  await up();
  return { url, port, up, down, signal };
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
): Promise<pg.QueryResultRow[]> {
  return (await connect(url, (client) => client.query(text))).rows;
}

const outputs: string[] = [];

/** Starts a command with a database. {@linkcode findPassword} searches its output. */
export function startWith(url: string, ...args: readonly string[]): Running {
  const running = start(args, { DATABASE_URL: url });
  running.ended.then(({ stdout, stderr }) => outputs.push(stdout, stderr));
  return running;
}

/** Whether a command has printed the password. */
export function findPassword(): string | undefined {
  const secrets = [PASSWORD, encodeURIComponent(PASSWORD), "s3cret-guess"];
  return outputs.find((text) => secrets.some((each) => text.includes(each)));
}

/** Imports two files. */
export function runImport(
  url: string,
  { plants, tokens }: Files,
): Promise<Ended> {
  return startWith(url, "import", "--plants", plants, "--tokens", tokens).ended;
}
