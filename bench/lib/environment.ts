import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { isPinned } from "./child.ts";
import { BENCH, DENO_VERSION, ROOT } from "./sides.ts";

/** Where it was measured, and with what. */
export interface Environment {
  readonly cpu: string;
  readonly cpus: number;
  readonly memory: string;
  readonly kernel: string;
  readonly isPinned: boolean;
  readonly versions: Readonly<Record<string, string>>;
}

/** Looks at the machine and at what is installed. */
export async function readEnvironment(): Promise<Environment> {
  const [cpu] = cpus();
  const manifest = await readJson(join(BENCH, "package.json"));
  const names = Object.keys(manifest["devDependencies"] as object);
  const installed = await Promise.all(names.map(async (name) => {
    const path = join(BENCH, "node_modules", name, "package.json");
    return [name, `${(await readJson(path))["version"]}`] as const;
  }));
  const product = await readJson(join(ROOT, "package.json"));
  return {
    cpu: cpu?.model ?? "unknown",
    cpus: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    kernel: `${type()} ${/^[\d.]+\d/.exec(release())?.[0]}`,
    isPinned,
    versions: {
      "plant-store": `${product["version"]}`,
      node: process.versions.node,
      deno: DENO_VERSION,
      wrk: wrkVersion(),
      ...Object.fromEntries(installed),
    },
  };
}

function wrkVersion(): string {
  // It prints its version, and ends in failure.
  const { stdout } = spawnSync("wrk", ["-v"], { encoding: "utf8" });
  return /^wrk (?:debian\/)?(\S+)/.exec(stdout)?.[1] ?? "unknown";
}

async function readJson(path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(path, "utf8"));
}
