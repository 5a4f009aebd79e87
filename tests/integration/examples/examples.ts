import process from "node:process";
import { type Case, CASES, type Setup } from "../../contract/cases.ts";

/** A host that embeds the plant store. */
export interface Example {
  readonly file: string;
  /** The runtime that it has to be on. */
  readonly runtime: string;
  /** The command that runs it, up to the name of its file; none for a module that is no program. */
  readonly command?: readonly string[];
}

const NODE = {
  runtime: `node@${process.versions.node}`,
  command: [process.execPath, "--import", "tsx"],
};

/** The hosts of `examples/`. */
export const EXAMPLES: readonly Example[] = [
  { file: "node_http.ts", ...NODE },
  { file: "express.ts", ...NODE },
  { file: "fastify.ts", ...NODE },
  { file: "hono.ts", ...NODE },
  {
    file: "deno_serve.ts",
    runtime: "deno@2.9.6",
    command: [
      "npx",
      "--yes",
      "deno@2.9.6",
      "run",
      "--allow-net=127.0.0.1",
      "--allow-env=PORT",
      "--import-map=tools/deno.offline.json",
      "--node-modules-dir=none",
    ],
  },
  {
    file: "bun_serve.ts",
    runtime: "bun@1.4.5",
    command: ["npx", "--yes", "bun@1.4.5"],
  },
  { file: "cloudflare_worker.ts", runtime: "workerd" },
  { file: "network.ts", runtime: NODE.runtime },
];

/** The set-ups that differ in the store; those that differ in options are the handler's alone. */
export const SETUPS: readonly Setup[] = ["open", "broken", "unavailable"];

/** The cases that a host has to pass, under its base path. */
export const HOST_CASES: readonly Case[] = CASES.filter(({ setup = "open" }) =>
  SETUPS.includes(setup)
);

/** Puts a target under the base path of the examples. */
export function toBasePath(target: string): string {
  if (target === "*") return target;
  // What stands before the path stays there, and so do steps above the root.
  const [, start, path] = /^(https?:\/\/[^/]*|\/\.\.)?(.*)$/.exec(target)!;
  return `${start ?? ""}/api${path}`;
}
