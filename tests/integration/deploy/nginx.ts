import { readFile, writeFile } from "node:fs/promises";
import {
  type Agent,
  createServer as createHttpServer,
  type IncomingMessage,
  request as requestHttp,
  type RequestListener,
} from "node:http";
import { request as requestHttps } from "node:https";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import process from "node:process";
import { makeFolder } from "../../support/files.ts";
import { createCertificate } from "./certificate.ts";
import { fill, need, startFor } from "./programs.ts";

/** nginx, with the shipped site in front of two instances. */
export interface Proxy {
  readonly port: number;
  readonly securePort: number;
  /** The certificate, which signs itself. */
  readonly ca: string;
  /** The folder of the logs. */
  readonly logs: string;
  /** Sends a request over plain HTTP. */
  ask(target: string, options?: Question): Promise<Answer>;
  /** Sends a request over TLS. */
  askSecurely(target: string, options?: Question): Promise<Answer>;
}

export interface Question {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly body?: string;
  readonly agent?: Agent;
  /** The address of this machine that is asked. Default: 127.0.0.1. */
  readonly host?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** The address that the shipped site is for. */
export const NAME = "plants.example";

/** The field that tells nginx, in a test, which address a client has. */
export const CLIENT = "x-test-client";

/**
 * Starts nginx for two instances on these ports; what a client may ask for, in
 * a second and at a time, is as in the site unless given.
 */
export async function startNginx(
  t: { after(fn: () => unknown): void },
  [first, second]: readonly [number, number],
  rate = "20r/s",
  count = 32,
): Promise<Proxy> {
  need("nginx", "nginx");
  const folder = await makeFolder(t);
  const { key, certificate } = await createCertificate(folder, NAME);
  const [port, securePort] = [await findPort(), await findPort()];
  const shipped = await readFile("deploy/nginx.conf", "utf8");
  const filled = [
    ["listen 80;", `listen 127.0.0.1:${port};`],
    ["listen [::]:80;", `listen [::1]:${port};`],
    ["listen 443 ", `listen 127.0.0.1:${securePort} `],
    ["listen [::]:443 ", `listen [::1]:${securePort} `],
    ["127.0.0.1:8000", `127.0.0.1:${first}`],
    ["127.0.0.1:8001", `127.0.0.1:${second}`],
    ["/etc/nginx/tls/plant-store.crt", certificate],
    ["/etc/nginx/tls/plant-store.key", key],
    ["/var/log/nginx/", `${folder}/`],
    ["rate=20r/s", `rate=${rate}`],
    ["plant_store_count 32;", `plant_store_count ${count};`],
  ].reduce((text, [part, by]) => fill(text, part!, by!), shipped);
  await writeFile(join(folder, "site.conf"), filled);

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
  const running = startFor(t, "nginx", [...args, "-g", "daemon off;"]);
  await running.until("stderr", /start worker process \d+\n/);
  const ca = await readFile(certificate, "utf8");

  function ask(
    target: string,
    { headers = {}, method = "GET", body, agent, host = "127.0.0.1" }: Question,
    tls?: { readonly ca: string; readonly servername: string },
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = (tls ? requestHttps : requestHttp)({
        host,
        port: tls ? securePort : port,
        method,
        path: target,
        headers: { host: NAME, ...headers },
        timeout: 20_000,
        ...agent && { agent },
        ...tls,
      }, (response) => {
        const chunks: Uint8Array[] = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode!,
            headers: new Headers(
              Object.entries(response.headersDistinct).flatMap((
                [name, values],
              ) => values!.map((value) => [name, value] as [string, string])),
            ),
            body: new Uint8Array(Buffer.concat(chunks)),
          }));
      });
      request.on("timeout", () => request.destroy(new Error("no answer")));
      request.on("error", reject);
      request.end(body);
    });
  }
  return {
    port,
    securePort,
    ca,
    logs: folder,
    ask: (target, options = {}) => ask(target, options),
    askSecurely: (target, options = {}) =>
      ask(target, options, { ca, servername: NAME }),
  };
}

/**
 * Starts a server that stands for an instance, and gives its port and the
 * requests that came; they are answered with 200 unless `respond` does.
 */
export async function startStandIn(
  t: { after(fn: () => unknown): void },
  respond: RequestListener = (_request, response) => void response.end("{}"),
): Promise<{ readonly port: number; readonly requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createHttpServer((request, response) => {
    requests.push(request);
    respond(request, response);
  });
  const port = await findPort();
  await new Promise<void>((resolve) =>
    server.listen(port, "127.0.0.1", resolve)
  );
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port, requests };
}

/**
 * Finds a free port for a server that is told which to take, out of reach of
 * those that the system gives to outgoing connections.
 */
export async function findPort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}
