import process from "node:process";
import { BUN, DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { withBasePath } from "../../../src/verify/client.ts";
import {
  type Case,
  type CaseRequest,
  CASES,
  type Setup,
} from "../../contract/cases.ts";

/** A host that embeds Plant Store. */
export interface Example {
  readonly file: string;
  /** The runtime of the host. */
  readonly runtime: string;
  /** The command that runs the file; undefined for a module. */
  readonly command?: readonly string[];
}

const NODE = {
  runtime: `node@${process.versions.node}`,
  command: [process.execPath, "--import", "tsx"],
};

/** The hosts in `examples/`. */
export const EXAMPLES: readonly Example[] = [
  { file: "node_http.ts", ...NODE },
  { file: "express.ts", ...NODE },
  { file: "fastify.ts", ...NODE },
  { file: "hono.ts", ...NODE },
  {
    file: "deno_serve.ts",
    runtime: "deno@2.9.6",
    command: [
      ...[...DENO, "run", "--allow-net=127.0.0.1", "--allow-env=PORT"],
      ...[`--import-map=${OFFLINE_MAP}`, "--node-modules-dir=none"],
    ],
  },
  { file: "bun_serve.ts", runtime: "bun@1.4.5", command: BUN },
  { file: "cloudflare_worker.ts", runtime: "workerd" },
  { file: "network.ts", runtime: NODE.runtime },
];

/** The setups without options of the handler. */
const SETUPS: readonly Setup[] = ["open", "broken", "unavailable"];

/** The cases that every host passes. */
export const HOST_CASES: readonly Case[] = CASES.filter(({ setup = "open" }) =>
  SETUPS.includes(setup)
);

/** Puts a request under the base path of the examples. */
export function toBasePath(request: CaseRequest): CaseRequest {
  const { target = "/plants" } = request;
  return { ...request, target: withBasePath(target, "/api") };
}
