import { readFile, writeFile } from "node:fs/promises";
import { type Agent, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import process from "node:process";
import { makeFolder } from "../files.ts";
import { createCertificate } from "./certificate.ts";
import { fill, need, startFor } from "./programs.ts";

/** nginx, with the shipped site in front of two instances. */
export interface Proxy {
  readonly port: number;
  readonly securePort: number;
  /** The certificate, which signs itself. */
  readonly ca: string;
  /** Sends a request over plain HTTP. */
  ask(target: string, options?: Question): Promise<Answer>;
  /** Sends a request over TLS. */
  askSecurely(target: string, options?: Question): Promise<Answer>;
}

export interface Question {
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Agent;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** The address that the shipped site is for. */
export const NAME = "plants.example";

/** Starts nginx for two instances on these ports; `rate` is that of the site unless given. */
export async function startNginx(
  t: { after(fn: () => unknown): void },
  [first, second]: readonly [number, number],
  rate = "20r/s",
): Promise<Proxy> {
  need("nginx", "nginx");
  const folder = await makeFolder(t);
  const { key, certificate } = await createCertificate(folder, NAME);
  const [port, securePort] = [await findPort(), await findPort()];
  const shipped = await readFile("deploy/nginx.conf", "utf8");
  const filled = [
    ["listen 80;", `listen 127.0.0.1:${port};`],
    ["listen 443 ", `listen 127.0.0.1:${securePort} `],
    ["127.0.0.1:8000", `127.0.0.1:${first}`],
    ["127.0.0.1:8001", `127.0.0.1:${second}`],
    ["/etc/nginx/tls/plant-store.crt", certificate],
    ["/etc/nginx/tls/plant-store.key", key],
    ["rate=20r/s", `rate=${rate}`],
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
    { headers = {}, agent }: Question,
    tls?: { readonly ca: string; readonly servername: string },
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = (tls ? requestHttps : requestHttp)({
        host: "127.0.0.1",
        port: tls ? securePort : port,
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
      request.end();
    });
  }
  return {
    port,
    securePort,
    ca,
    ask: (target, options = {}) => ask(target, options),
    askSecurely: (target, options = {}) =>
      ask(target, options, { ca, servername: NAME }),
  };
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
