import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { startServer } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";

/** A server to attack. */
export interface Victim {
  readonly port: number;
  /** Returns the resident memory in megabytes. */
  memory(): number;
  /** Returns the number of open descriptors. */
  descriptors(): number;
}

/** Starts a server that stops when the test ends. */
export async function startVictim(
  t: { after(fn: () => unknown): void },
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

/** Starts a server with many plants; each adds about 70 bytes to a list. */
export async function startLargeVictim(
  t: TestContext,
  count: number,
): Promise<Victim> {
  const plants = Array.from({ length: count }, (_, index) => ({
    name: `Plant number ${index} of a list that is rather long`,
    tag: `tag ${index % 50}`,
  }));
  const file = join(await makeFolder(t), "plants.json");
  await writeFile(file, JSON.stringify(plants));
  return await startVictim(t, ["--plants", file, "--no-watch"]);
}
