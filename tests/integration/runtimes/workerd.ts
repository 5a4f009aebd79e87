import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { build } from "esbuild";

/** The newest date that this version of workerd supports. */
const COMPATIBILITY_DATE = "2026-10-23";

/** Running workers. */
export interface Workers {
  /** The port of each worker by name. */
  readonly ports: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/**
 * Starts workers in one process, without a file system or Node.js modules.
 *
 * @param entries The module of each worker by name. The binding SETUP contains
 * the name.
 */
export async function startWorkers(
  entries: Readonly<Record<string, string>>,
): Promise<Workers> {
  const folder = await mkdtemp(join(tmpdir(), "plant-store-"));
  const names = Object.keys(entries);
  for (const name of names) {
    await build({
      entryPoints: [entries[name]!],
      outfile: join(folder, `${name}.js`),
      bundle: true,
      format: "esm",
      platform: "neutral",
      logLevel: "error",
    });
  }
  const config = join(folder, "config.capnp");
  await writeFile(config, configure(names));

  const binary: string = createRequire(import.meta.url)("workerd").default;
  const child = spawn(binary, ["serve", config, "--control-fd=3"], {
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  const exited = new Promise((resolve) => child.once("close", resolve));
  const ports = new Map<string, number>();
  for await (const line of createInterface(child.stdio[3] as Readable)) {
    const { event, socket, port } = JSON.parse(line);
    if (event === "listen") ports.set(socket, port);
    if (ports.size === names.length) break;
  }
  if (ports.size < names.length) throw new Error("workerd exited");
  return {
    ports,
    async close() {
      child.kill();
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

/** Returns the configuration of workers on free ports. */
function configure(names: readonly string[]): string {
  const list = (write: (name: string) => string) => names.map(write).join("\n");
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
${list((name) => `    (name = "${name}", worker = .${name}),`)}
  ],
  sockets = [
${
    list((name) =>
      `    (name = "${name}", address = "127.0.0.1:0", http = (), service = "${name}"),`
    )
  }
  ],
);
${
    list((name) =>
      `const ${name} :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "${name}.js")],
  bindings = [(name = "SETUP", text = "${name}")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
);`
    )
  }
`;
}
