import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { watch } from "../../support/command.ts";

/** A host that listens. */
export interface Host {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a host with a command, and waits until it says that it listens. */
export async function startHost(
  [program, ...args]: readonly string[],
): Promise<Host> {
  const port = await findPort();
  const child = spawn(program!, args, {
    detached: true,
    env: { ...process.env, NO_COLOR: "1", PORT: `${port}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { until, ended } = watch(child);
  await until("stdout", /^Plants at .*\n/m);
  return {
    port,
    async close() {
      // The runtime may be a child of the process that was started.
      process.kill(-child.pid!, "SIGKILL");
      await ended;
    },
  };
}

/** A port that is free. */
export async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
