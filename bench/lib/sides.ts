import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Child, run, SERVER_CPU, start } from "./child.ts";
import { createData, type Data } from "./data.ts";
import { ask } from "./http.ts";
import type { Query } from "./wrk.ts";

/** The folders of the benchmark and of the product. */
export const BENCH: string = fileURLToPath(new URL("../", import.meta.url));
export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

/** The runtimes. */
export type Runtime = "node" | "deno" | "bun";
export const RUNTIMES: readonly Runtime[] = ["node", "deno", "bun"];

/** Deno comes through npx: its lock entries name packages that not every registry has. */
export const DENO_VERSION = "2.9.6";

/** A server to compare. */
export interface Side {
  /** What it is called in the tables. */
  readonly name: string;
  /** How it is started on a port. */
  command(port: number): readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What it prints when it answers, or `unsaid` where it prints nothing. Default: `ready`. */
  readonly ready?: RegExp | "unsaid";
}

/** A side that answers. */
export interface RunningSide extends Child {
  readonly port: number;
}

/** Starts a side and waits until it answers. */
export async function startSide(
  side: Side,
  cpu: number = SERVER_CPU,
): Promise<RunningSide> {
  const port = await freePort();
  const child = start(side.command(port), {
    cwd: ROOT,
    ...cpu >= 0 && { cpu },
    ...side.env && { env: side.env },
  });
  const { ready = /^ready$/m } = side;
  if (ready === "unsaid") await untilAnswer(port);
  else await child.until(ready);
  return { ...child, port };
}

async function untilAnswer(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    try {
      await ask(port, {});
      return;
    } catch {
      await wait(100);
    }
  }
  throw new Error(`port ${port} must answer within 30 seconds`);
}

/** Leaves a side on whatever CPU is free. */
export const ANY_CPU = -1;

/** A port that is free now: peers can't say which one they took. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" ? address!.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** What the product serves. */
export interface Content {
  /** How many plants. Default: 100. */
  readonly plants?: number;
  /** How many users. Default: 3. */
  readonly users?: number;
  /** The plants file. Default: the one that all sides share. */
  readonly file?: string;
}

/** What all groups work with. */
export interface Workshop {
  /** A folder that is removed at the end. */
  readonly folder: string;
  readonly data: Data;
  /** The product, bundled to one file. */
  readonly built: string;
  /** The product's `openFileStore`, bundled to one file. */
  readonly builtStore: string;
  /** What lists plants from a database without HTTP, bundled to one file. */
  readonly builtLists: string;
  /** What runs on a runtime. */
  readonly programs: Readonly<Record<Runtime, string>>;
  /** The product on a runtime. */
  ours(runtime: Runtime, content?: Content): Promise<Side>;
  /** A bare server that answers as `side` answers `query`. */
  bare(runtime: Runtime, side: Side, query: Query): Promise<Side>;
}

/** Some CommonJS dependencies ask for what ES modules have not. */
const BANNER =
  'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);';

/** Bundles a module of the product for Node, and gives the bundle's path. */
async function bundle(entry: string, outfile: string): Promise<string> {
  await run([
    join(BENCH, "node_modules/.bin/esbuild"),
    entry,
    "--bundle",
    "--platform=node",
    "--format=esm",
    "--main-fields=module,main", // jsonc-parser's main can't be bundled
    "--log-level=error",
    `--banner:js=${BANNER}`,
    `--outfile=${outfile}`,
  ], { cwd: ROOT });
  return outfile;
}

/** The true path of a runtime: npm may have put a program before it, which costs time and memory. */
async function find(...command: readonly string[]): Promise<string> {
  return (await run(command)).trim();
}

/** Prepares what all groups work with. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = mkdtempSync(join(tmpdir(), "plant-store-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const data = createData(folder);
  const bin = join(BENCH, "node_modules/.bin");
  const [built, builtStore, builtLists, deno, bun] = await Promise.all([
    bundle("src/cli/main.ts", join(folder, "plant-store.mjs")),
    bundle("src/stores/files.ts", join(folder, "files.mjs")),
    bundle("bench/programs/lists_postgres.ts", join(folder, "lists.mjs")),
    find(
      "npx",
      "--yes",
      `deno@${DENO_VERSION}`,
      "eval",
      "console.log(Deno.execPath())",
    ),
    find(join(bin, "bun"), "-e", "console.log(process.execPath)"),
  ]);
  const programs = { node: process.execPath, deno, bun };
  let replies = 0;

  return {
    folder,
    data,
    built,
    builtStore,
    builtLists,
    programs,
    async ours(runtime, { plants = 100, users = 3, file } = {}) {
      const files = [
        `--plants=${file ?? await data.plants(plants)}`,
        `--tokens=${await data.tokens(users, plants)}`,
      ];
      const program: Readonly<Record<Runtime, readonly string[]>> = {
        node: [built],
        deno: [
          "run",
          "--allow-all",
          "--no-lock",
          "--node-modules-dir=none",
          "--import-map=tools/deno.offline.json",
          "src/cli/main.ts",
        ],
        bun: ["src/cli/main.ts"],
      };
      return {
        name: `plant store on ${runtime}`,
        command: (port) => [
          programs[runtime],
          ...program[runtime],
          `--port=${port}`,
          ...files,
        ],
        ready: /^Listening on /m,
      };
    },
    async bare(runtime, side, query) {
      const running = await startSide(side);
      const { status, headers, body } = await ask(running.port, query);
      await running.stop();
      const base = join(folder, `reply-${replies++}`);
      await writeFile(`${base}.body`, body);
      const reply = { status, headers, bodyFile: `${base}.body` };
      await writeFile(`${base}.json`, JSON.stringify(reply));
      const flags = runtime === "deno" ? ["run", "--allow-all"] : [];
      return {
        name: `bare ${
          { node: "node:http", deno: "Deno.serve", bun: "Bun.serve" }[runtime]
        }`,
        command: (port) => [
          programs[runtime],
          ...flags,
          join(BENCH, `sides/bare_${runtime}.mjs`),
          `${port}`,
        ],
        env: { REPLY: `${base}.json` },
      };
    },
  };
}
