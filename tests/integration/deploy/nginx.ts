import { readFile, writeFile } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
} from "node:http";
import { join, resolve } from "node:path";
import process from "node:process";
import { makeFolder } from "../../support/files.ts";
import { findPort, listen } from "../../support/port.ts";
import { requireProgram, startProgramFor } from "../../support/program.ts";
import { send } from "../../support/send.ts";
import { createCertificate } from "./certificate.ts";

/** nginx with the shipped site. */
export interface Nginx {
  readonly port: number;
  readonly securePort: number;
  /** The folder of the logs. */
  readonly logs: string;
  /** Sends a request over HTTP or HTTPS. */
  send(
    target: string,
    options?: Parameters<typeof send>[0] & { readonly isSecure?: boolean },
  ): Promise<Response>;
}

/** Replaces parts of a shipped file, and throws if the file lacks one. */
export function fill(
  text: string,
  values: Readonly<Record<string, string>>,
): string {
  for (const [part, value] of Object.entries(values)) {
    if (!text.includes(part)) throw new Error(`the file lacks "${part}"`);
    text = text.replaceAll(part, value);
  }
  return text;
}

/** The host of the shipped site. */
export const HOST = "plants.example";

/** In tests, a request header that sets the address of the client. */
export const CLIENT = "x-test-client";

/** Changes to the site for tests that send many requests. */
export const NO_RATE_LIMIT = { "rate=20r/s": "rate=100000r/s" };

/** Starts nginx in front of one or two instances with a changed copy of the site. */
export async function startNginx(
  t: { after(fn: () => unknown): void },
  [first, second = first]: readonly [number, number?],
  changes: Readonly<Record<string, string>> = {},
): Promise<Nginx> {
  requireProgram("nginx", "nginx");
  const folder = await makeFolder(t);
  const { key, certificate } = await createCertificate(folder, HOST);
  const [port, securePort] = [await findPort(), await findPort()];
  const site = fill(await readFile("deploy/nginx.conf", "utf8"), {
    "listen 80;": `listen 127.0.0.1:${port};`,
    "listen [::]:80;": `listen [::1]:${port};`,
    "listen 443 ": `listen 127.0.0.1:${securePort} `,
    "listen [::]:443 ": `listen [::1]:${securePort} `,
    "127.0.0.1:8000": `127.0.0.1:${first}`,
    "127.0.0.1:8001": `127.0.0.1:${second}`,
    "/etc/nginx/tls/plant-store.crt": certificate,
    "/etc/nginx/tls/plant-store.key": key,
    "/var/log/nginx/": `${folder}/`,
    ...changes,
  });
  await writeFile(join(folder, "site.conf"), site);

  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  await writeFile(
    join(folder, "main.conf"),
    `${process.getuid!() === 0 ? "user root;" : ""}
worker_processes 2;
pid nginx.pid;
error_log stderr notice;
events {}
http {
  access_log off;
  set_real_ip_from 127.0.0.1;
  real_ip_header ${CLIENT};
  ${folders.map((name) => `${name}_temp_path ${name};`).join(" ")}
  include site.conf;
}
`,
  );
  const args = ["-p", resolve(folder), "-e", "stderr", "-c", "main.conf"];
  const running = startProgramFor(t, "nginx", [...args, "-g", "daemon off;"]);
  await running.until("stderr", /start worker process \d+\n/);
  const ca = await readFile(certificate, "utf8");

  return {
    port,
    securePort,
    logs: folder,
    send: (target, { headers, isSecure, ...options } = {}) =>
      send({
        port: isSecure ? securePort : port,
        path: target,
        headers: { host: HOST, ...headers },
        ...isSecure && { ca, servername: HOST },
        ...options,
      }),
  };
}

/** A server in place of an instance. */
export interface Stub {
  readonly port: number;
  /** The requests received so far. */
  readonly requests: IncomingMessage[];
}

/** Starts a stub, which returns 200 unless `respond` does something else. */
export async function startStub(
  t: { after(fn: () => unknown): void },
  respond: RequestListener = (_request, response) => void response.end("{}"),
): Promise<Stub> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    respond(request, response);
  });
  return { port: await listen(t, server), requests };
}
