import { spawn } from "node:child_process";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { kill, type Running, watch } from "../tools/start_cli.ts";
import { linkPackages } from "../tools/link_packages.ts";
import { findPort } from "../tools/port.ts";
import { runProgram } from "../tools/start_program.ts";
import { list } from "../tools/send.ts";
import { until } from "../tools/until.ts";
import { startDatabase } from "../tools/start_database.ts";
import { BUN, DENO, OFFLINE_MAP } from "../tools/runtimes.ts";

// npm run bench [-- [GROUP...] [--rounds N]]
//
// Compares the CPU time that servers take for each request, and prints a table such as
// that in results.txt. Servers run on one CPU, and wrk on another, with 64 connections.
//
// Figures are medians of the rounds, and brackets contain the middle half, which shows
// the noise. A ratio is the other server's CPU time divided by that of Plant Store in the
// same round: above 1, Plant Store takes less.
//
// For another version of Node.js: `npx -p node@22 node --import tsx bench/run.ts`.

/** The CPU of the servers. The other one is for wrk and this program. */
const SERVER_CPU = "0", CLIENT_CPU = "1";

/** How long a server is loaded in a round, in seconds. */
const SECONDS = 2;

/** The number of users whose lists are requested in turn. */
const USERS = 100_000;

/** A server, and its load. */
interface Side {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether users take turns, so that no response is cached. */
  readonly takesTurns?: boolean;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "10" } },
});

/** How often each server is started and measured. */
const ROUNDS = Number(values.rounds);

const folder = mkdtempSync(join(tmpdir(), "plant-store-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

/** Writes a JSON file and returns its path. */
function write(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
}

const plants = Array.from({ length: 100 }, (_, index) => (
  { name: `Monstera ${index * 7919}`, tag: `vine ${index % 10}` }
));
const users = Array.from({ length: USERS }, (_, index) => {
  const tags = [0, 3, 4, 7].map((more) => `vine ${(index + more) % 10}`);
  return [`user-${index}`, { plants: { tags }, tokens: [`token-${index}`] }];
});
const FILES = {
  PLANTS_FILE: write("plants.json", plants),
  TOKENS_FILE: write("tokens.json", Object.fromEntries(users)),
};

/** Functions that stop the database. */
const stops: (() => unknown)[] = [];
const after = (stop: () => unknown) => stops.push(stop);
const { url: DATABASE_URL } = await startDatabase({ after });

const deno = [
  ...[...DENO, "run", "--allow-all", "--no-lock", "--node-modules-dir=none"],
  `--import-map=${OFFLINE_MAP}`,
];
const main = "src/cli/main.ts", bare = "bench/sides/bare.mjs";

/** Servers that check nothing. The first one reads what any API must read. */
const limits = (name: string, ...command: readonly string[]): Side[] => [
  { name: `reading \`${name}\``, command, env: { READ: "1" } },
  { name: `bare \`${name}\``, command },
];
const nodeLimits = limits("node:http", process.execPath, bare);
const peer = (name: string, more: Partial<Side> = {}): Side => (
  { name, command: [process.execPath, `bench/sides/${name}.mjs`], ...more }
);
/** On Node.js, the build that npm publishes. */
const product: Side = {
  name: "plant store",
  command: [process.execPath, "dist/cli.js"],
};
const cached = { env: { CACHE: "1" } };
const inTurn = { takesTurns: true };
/** Options of sides with a database. */
const stored: Partial<Side> = {
  env: { DATABASE_URL, PLANTS_FILE: undefined, TOKENS_FILE: undefined },
};
const query = { name: "fastify with pg", env: { DATABASE_URL } };

/**
 * The sides of each group. The first one is compared with the others, which send the same
 * response. Fastify and Hono check the token and the limit; in the group `node`, they cache
 * the list, and in `uncached`, they create ETags with a plugin. `tsx` runs the sources.
 * With a database, Fastify sends one query for each request.
 */
const GROUPS: Readonly<Record<string, readonly Side[]>> = {
  node: [
    product,
    ...nodeLimits,
    peer("fastify", cached),
    peer("hono", cached),
  ],
  tsx: [
    { ...product, command: [process.execPath, "tools/start.mjs"] },
    ...nodeLimits,
  ],
  uncached: [
    { ...product, ...inTurn },
    peer("fastify", inTurn),
    peer("hono", inTurn),
  ],
  database: [{ ...product, ...stored }, peer("postgres", query)],
  "database, uncached": [
    { ...product, ...stored, ...inTurn },
    peer("postgres", { ...query, ...inTurn }),
  ],
  deno: [
    { ...product, command: [...deno, main] },
    ...limits("Deno.serve", ...deno, bare),
  ],
  bun: [
    { ...product, command: [...BUN, main] },
    ...limits("Bun.serve", ...BUN, bare),
  ],
};

/** A server that accepts requests. */
interface Server extends Side {
  readonly running: Running;
  readonly url: string;
}

/** The response of the product, which bare servers and peers with a cache send, too. */
let response = "{}";

async function startServer(side: Side): Promise<Server> {
  const port = await findPort();
  const url = `http://127.0.0.1:${port}`;
  const own = { NODE_ENV: "production", PORT: `${port}`, RESPONSE: response };
  const args = ["-c", SERVER_CPU, ...side.command];
  const running = watch(spawn("taskset", args, {
    env: { ...process.env, ...FILES, ...own, ...side.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // its group is ended with it
  }));
  await Promise.race([
    until(() => fetch(url).then(() => true, () => false)),
    running.ended.then(({ stderr }) => {
      throw new Error(`${side.name} did not start: ${stderr}`);
    }),
  ]);
  return { ...side, running, url };
}

/** Returns the CPU time of a process and its descendants in microseconds, from the scheduler of Linux. */
function readCpu(pid: number): number {
  let time = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const read = (name: string) =>
      readFileSync(`/proc/${pid}/task/${thread}/${name}`, "utf8");
    time += parseInt(read("schedstat")) / 1e3;
    for (const child of read("children").match(/\d+/g) ?? []) {
      time += readCpu(Number(child));
    }
  }
  return time;
}

/** Sends requests to a server, and returns its CPU time for each in microseconds. */
async function load(
  { name, url, running, takesTurns }: Server,
  round: number,
): Promise<number> {
  const before = readCpu(running.process.pid!);
  const { stdout } = await runProgram("wrk", [
    ...["-t1", "-c64", "--timeout=30s", `-d${SECONDS}s`],
    ...["-s", "bench/wrk.lua", `${url}/plants?limit=20`],
  ], { env: { USERS: takesTurns ? `${USERS}` : "0", ROUND: `${round}` } });
  const used = readCpu(running.process.pid!) - before;
  const [requests = 0, failures = 0]: readonly number[] = JSON
    .parse(/^\[.*/m.exec(stdout)![0]);
  if (failures > 0) throw new Error(`requests to ${name} failed: ${stdout}`);
  return used / requests;
}

/**
 * Runs the rounds of a group: all sides after one another, in an order that rotates. Each
 * round starts the servers again, because the speed of a server varies between starts.
 */
async function compare(
  sides: readonly Side[],
): Promise<readonly (readonly number[])[]> {
  const found: number[][] = sides.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    const servers: Server[] = [];
    try {
      for (const side of sides) {
        servers.push(await startServer(side));
        await checkResponse(servers);
      }
      for (const server of servers) await load(server, 2 * round);
      for (const offset of servers.keys()) {
        const at = (round + offset) % servers.length;
        found[at]!.push(await load(servers[at]!, 2 * round + 1));
      }
    } finally {
      await stop(servers);
    }
  }
  return found;
}

/** Ends servers, and the processes that they have started. */
async function stop(servers: readonly Server[]): Promise<void> {
  for (const { running } of servers) kill(-running.process.pid!, "SIGKILL");
  await Promise.all(servers.map(({ running }) => running.ended));
}

/** Returns the times from `npm start` to the first response, in milliseconds. */
async function measureStarts(): Promise<readonly number[]> {
  const env = { PLANTS_FILE: undefined, TOKENS_FILE: undefined }; // serves `data`
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const side = { name: "npm start", command: ["npm", "start"], env };
    const server = await startServer(side);
    times.push(performance.now() - start);
    await stop([server]);
  }
  return times;
}

/** Throws if the latest server responds with another list, or with other headers. */
async function checkResponse(servers: readonly Server[]): Promise<void> {
  const { name, url } = servers.at(-1)!;
  const received = await list(url, "token-1", "?limit=20");
  const headers = Object.fromEntries(received.headers);
  for (const own of ["date", "connection", "keep-alive"]) delete headers[own];
  const body = await received.text();
  if (servers.length === 1) response = JSON.stringify({ headers, body });
  const expected = JSON.parse(response);
  // Each server creates ETags in its own way.
  if (headers["etag"]) headers["etag"] = expected.headers.etag;
  const isRight = body === expected.body &&
    Object.entries(expected.headers)
      .every(([header, value]) => headers[header]?.startsWith(`${value}`));
  if (!isRight) throw new Error(`${name} responds ${JSON.stringify(headers)}`);
}

/** Formats the quartiles of values. */
function format(values: readonly number[], digits: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, median, high] = [0.25, 0.5, 0.75].map((part) =>
    sorted[Math.round((sorted.length - 1) * part)]!.toFixed(digits)
  );
  return `${median} [${low}, ${high}]`;
}

const names = positionals.length > 0 ? positionals : Object.keys(GROUPS);
const unknown = names.find((name) => !Object.hasOwn(GROUPS, name));
if (unknown !== undefined) throw new Error(`unknown group "${unknown}"`);
await runProgram("taskset", ["-cp", CLIENT_CPU, `${process.pid}`]);
await linkPackages("bench");
await runProgram("npm", ["run", "-s", "build"]);
console.log(`${cpus()[0]!.model}, Node.js ${process.version}`);
console.log(`npm start takes ${format(await measureStarts(), 0)} ms\n`);
console.log("| | CPU for each request, µs | ratio |\n| - | - | - |");
try {
  const args = ["dist/cli.js", "import", "--database-url", DATABASE_URL];
  await runProgram(process.execPath, args, { env: FILES });
  for (const name of names) {
    const sides = GROUPS[name]!;
    const found = await compare(sides);
    for (const [at, { name: side }] of sides.entries()) {
      const ratios = found[at]!.map((cpu, round) => cpu / found[0]![round]!);
      const cells = [`${name}: ${side}`]
        .concat(format(found[at]!, 1), at === 0 ? "" : format(ratios, 2));
      console.log(`| ${cells.join(" | ")} |`);
    }
  }
} finally {
  for (const stop of stops) await stop();
}
process.exit();
