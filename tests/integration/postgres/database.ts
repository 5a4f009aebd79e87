import { spawn } from "node:child_process";
import { chown, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { assert, assertEquals } from "@std/assert";
import pg from "pg";
import { dispatch } from "../../../src/cli/dispatch.ts";
import { type Running, start, watch } from "../../../tools/start_cli.ts";
import { type Files, writeFiles } from "../../support/files.ts";
import { findPort, listen } from "../../../tools/port.ts";
import { runProgram } from "../../../tools/start_program.ts";

type Test = { after(fn: () => unknown): void };

/** Characters that a URL must encode. */
const PASSWORD = "s3cret@/:#%? &1";

/** PostgreSQL does not accept root, so that it runs as nobody. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A PostgreSQL server for tests, with TLS. */
export interface Database {
  readonly url: string;
  readonly port: number;
  up(): Promise<void>;
  down(): Promise<void>;
}

/** Starts a server of Debian's newest PostgreSQL, which stops when the test ends. */
export async function startDatabase(t: Test): Promise<Database> {
  const versions = (await readdir("/usr/lib/postgresql")).map(Number);
  const programs = `/usr/lib/postgresql/${Math.max(...versions)}/bin`;
  const home = await mkdtemp(join(tmpdir(), "plant-store-"));
  await writeFile(join(home, "password"), PASSWORD);
  const [key, certificate] = [join(home, "key"), join(home, "crt")];
  await runProgram("openssl", [
    ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
      .split(" "),
    ...["-keyout", key, "-out", certificate, "-subj", "/CN=localhost"],
  ]);
  for (const path of USER.uid ? [home, key, certificate] : []) {
    await chown(path, USER.uid!, USER.gid!);
  }
  const run = (name: string, ...args: string[]): Running =>
    watch(spawn(join(programs, name), ["-D", join(home, "data"), ...args], {
      ...{ ...USER, cwd: home, stdio: ["ignore", "pipe", "pipe"] },
    }));
  const { status, stderr } = await run(
    ...["initdb", "-U", "plants", "--auth=scram-sha-256", "--no-sync"] as const,
    ...["--pwfile=password", "--encoding=UTF8", "--locale=C.UTF-8"],
  ).ended;
  if (status !== 0) throw new Error(stderr);

  const port = await findPort();
  let running: Running;
  async function up(): Promise<void> {
    running = run(
      ...["postgres", "-p", `${port}`, "-F", "-l", "-k", "", "-h"] as const,
      ...["127.0.0.1", "-c", `ssl_cert_file=${certificate}`],
      ...["-c", `ssl_key_file=${key}`],
    );
    await running.until("stderr", /ready to accept connections/);
  }
  async function down(): Promise<void> {
    running.kill("SIGINT");
    await running.ended;
  }
  t.after(async () => {
    await down();
    await rm(home, { recursive: true });
  });
  await up();
  const password = encodeURIComponent(PASSWORD);
  const url = `postgres://plants:${password}@127.0.0.1:${port}/postgres`;
  return { url, port, up, down };
}

/** Starts a proxy for the database. All data waits for the promise from `wait`. */
export async function startNetwork(
  t: Test,
  database: Database,
): Promise<{ readonly url: string; wait(): Promise<unknown> }> {
  const network = { url: "", wait: (): Promise<unknown> => Promise.resolve() };
  const port = await listen(
    t,
    createServer((client) => {
      const server = createConnection(database.port, "127.0.0.1");
      const pipe = (from: Socket, to: Socket) =>
        from.on("data", (data) => network.wait().then(() => to.write(data)))
          .on("close", () => to.destroy()).on("error", () => {});
      pipe(client, server);
      pipe(server, client);
    }),
  );
  network.url = database.url.replace(`:${database.port}/`, `:${port}/`);
  return network;
}

/** Runs SQL and then a task on their own connection, and returns the rows. */
export async function query(
  url: string,
  text: string,
  task?: () => Promise<void>,
): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query(text);
    await task?.();
    return rows;
  } finally {
    await client.end();
  }
}

/** Starts a command with a database. Its output must not contain a password. */
export function startWith(url: string, ...args: readonly string[]): Running {
  const running = start(args, { DATABASE_URL: url });
  const ended = running.ended.then((result) => {
    assert(!`${result.stdout}${result.stderr}`.includes("s3cret"));
    return result;
  });
  return { ...running, ended };
}

/** Imports two files with the command. */
export function startImport(url: string, { plants, tokens }: Files): Running {
  return startWith(url, "import", "--plants", plants, "--tokens", tokens);
}

/**
 * Imports plants, by default for a user with the token `t`. The command runs in this
 * process, which is much faster than in another one.
 */
export async function fill(
  t: Test,
  url: string,
  plants: unknown,
  tokens: unknown = { curator: { plants: "all", tokens: ["t"] } },
): Promise<void> {
  const files = await writeFiles(t, { plants, tokens });
  const args = ["import", "--plants", files.plants, "--tokens", files.tokens];
  const status = await dispatch(args, { DATABASE_URL: url }) ?? 0;
  assertEquals(status, 0);
}
