import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Running } from "./command.ts";

// Loaded into a server with MEASURED: for each SIGUSR2, it prints the CPU time,
// collects all garbage, and prints what remains.

/** The variables of a server that {@linkcode measure} can measure. */
export const MEASURED: Readonly<Record<string, string>> = {
  NODE_OPTIONS: "--import tsx --import ./tests/support/usage.ts",
  MEASURED: "1",
};

/** What a server uses: CPU time in milliseconds, and memory in MiB. */
export interface Usage {
  readonly cpu: number;
  readonly heap: number;
  readonly buffers: number;
  readonly rss: number;
}

if (process.env["MEASURED"]) {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  let count = 0;
  process.on("SIGUSR2", () => {
    const { user, system } = process.cpuUsage();
    collectGarbage();
    const { heapUsed, external, rss } = process.memoryUsage();
    const [heap, buffers, all] = [heapUsed, external, rss]
      .map((bytes) => bytes / 2 ** 20);
    const usage = { cpu: (user + system) / 1e3, heap, buffers, rss: all };
    console.error(`usage ${++count}: ${JSON.stringify(usage)}`);
  });
}

/** Measures a server for the `count`th time. */
export async function measure(
  { kill, until }: Running,
  count: number,
): Promise<Usage> {
  kill("SIGUSR2");
  const pattern = new RegExp(`^usage ${count}: (.*)$`, "m");
  const [, usage] = await until("stderr", pattern);
  return JSON.parse(usage!);
}
