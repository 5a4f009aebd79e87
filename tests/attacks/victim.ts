import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { startServer } from "../cli/command.ts";

/** A server in a process of its own, which attacks are made on. */
export interface Victim {
  readonly port: number;
  /** What is resident of it, in megabytes. */
  memory(): number;
  /** How many descriptors it has open. */
  descriptors(): number;
}

/** Starts a server as its command does; the test ends it. */
export async function startVictim(
  t: { after(stop: () => unknown): void },
  args: readonly string[] = [],
): Promise<Victim> {
  const { process: { pid }, port } = await startServer(t, args);
  return {
    port,
    memory() {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
    },
    descriptors: () => readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** How long, in milliseconds, what has to come about may take. */
const PATIENCE = 20_000;

/** Waits until `isTrue`, and gives whether it came about in time. */
export async function until(isTrue: () => boolean): Promise<boolean> {
  const deadline = performance.now() + PATIENCE;
  while (!isTrue()) {
    if (performance.now() > deadline) return false;
    await setTimeout(50);
  }
  return true;
}
