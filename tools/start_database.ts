import { spawn } from "node:child_process";
import { chown, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { findPort } from "./port.ts";
import { type Running, watch } from "./start_cli.ts";
import { runProgram } from "./start_program.ts";

/** Characters that a URL must encode. */
const PASSWORD = "s3cret@/:#%? &1";

/** PostgreSQL refuses to run as root, so it runs as nobody. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A PostgreSQL server with TLS. */
export interface Database {
  readonly url: string;
  readonly port: number;
  up(): Promise<void>;
  down(): Promise<void>;
}

/** Starts a server of Debian's newest PostgreSQL, which stops when the test ends. */
export async function startDatabase(
  t: { after(fn: () => unknown): void },
): Promise<Database> {
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
