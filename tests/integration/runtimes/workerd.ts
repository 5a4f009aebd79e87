import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { build } from "esbuild";

/** The configuration of a worker on a free port, with the newest date that this version of workerd supports. */
const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  bindings = [(name = "SETUP", text = "open")],
  compatibilityDate = "2026-10-23",
);
`;

/** Starts a worker, without a file system or Node.js modules. */
export async function startWorker(
  entry: string,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "plant-store-"));
  await build({
    entryPoints: [entry],
    outfile: join(folder, "worker.js"),
    bundle: true,
    format: "esm",
    platform: "neutral",
    logLevel: "error",
  });
  const config = join(folder, "config.capnp");
  await writeFile(config, CONFIG);

  const binary: string = createRequire(import.meta.url)("workerd").default;
  const child = spawn(binary, ["serve", config, "--control-fd=3"], {
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  const exited = new Promise((resolve) => child.once("close", resolve));
  for await (const line of createInterface(child.stdio[3] as Readable)) {
    const { event, port } = JSON.parse(line);
    if (event !== "listen") continue;
    return {
      port,
      async close() {
        child.kill();
        await exited;
        await rm(folder, { recursive: true });
      },
    };
  }
  throw new Error("workerd exited");
}
