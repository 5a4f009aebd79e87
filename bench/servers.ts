import { spawn } from "node:child_process";
import process from "node:process";
import { type Running, watch } from "../tests/support/command.ts";
import { runProgram } from "../tests/support/program.ts";
import { list } from "../tests/support/send.ts";
import { until } from "../tests/support/until.ts";
import { BUN, DENO, OFFLINE_MAP } from "../tools/runtimes.ts";
import { writePlants, writeTokens } from "./data.ts";
import { cpuTime } from "./proc.ts";

/** The CPU for servers. The benchmark, wrk, and the database use the other one. */
export const SERVER_CPU = "0", CLIENT_CPU = "1";

/** A server, and the load for it. */
export interface Side {
  readonly name: string;
  /** The command that starts the server, without the port. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The number of users that take turns. Default: the florist sends all requests. */
  readonly turns?: number;
}

/** A server that accepts requests. */
export interface Server {
  readonly side: Side;
  readonly url: string;
  readonly running: Running;
}

/** Runs a program until it exits and returns its output. */
export async function run(
  [program, ...args]: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<string> {
  const ended = await runProgram(program!, args, { ...env && { env } });
  return ended.stdout.trim();
}

/**
 * The next port. It is outside the range for outgoing connections, because a
 * connection from the same port could connect to itself.
 */
let nextPort = 20_000 + process.pid % 10_000;

/** Starts a server and waits until it responds. */
export async function startServer(side: Side): Promise<Server> {
  const port = nextPort++;
  // Command-line programs read the option; servers in bench/sides read PORT.
  const args = ["-c", SERVER_CPU, ...side.command, `--port=${port}`];
  const own = { NODE_ENV: "production", NO_COLOR: "1", PORT: `${port}` };
  const running = watch(spawn("taskset", args, {
    env: { ...process.env, ...own, ...side.env },
    stdio: ["ignore", "pipe", "pipe"],
  }));
  const url = `http://127.0.0.1:${port}`;
  const failed = running.ended.then(({ stderr }) => {
    throw new Error(`"${side.name}" did not start: ${stderr}`);
  });
  const isReady = () => fetch(url).then(() => true, () => false);
  await Promise.race([until(isReady), failed]);
  return { side, url, running };
}

/** Stops servers. */
export async function stop(servers: readonly Server[]): Promise<void> {
  for (const { running } of servers) running.kill("SIGKILL");
  await Promise.all(servers.map(({ running }) => running.ended));
}

/** The query of all requests. */
const QUERY = "?limit=20";

/** Sends one request of the florist. */
export function send({ url }: Server): Promise<Response> {
  return list(url, "token-1", QUERY);
}

/** Loads a server with wrk and returns metrics. Throws if a request fails. */
export async function load(
  { side: { name, turns = 0 }, url, running }: Server,
  round: number,
  seconds: number,
): Promise<Record<string, number>> {
  const used = () => cpuTime(running.process.pid!);
  const before = used();
  const output = await run([
    ...["wrk", "-t1", "-c64", "--timeout=30s", `-d${seconds}s`],
    ...["-s", "bench/wrk.lua", `${url}/plants${QUERY}`],
  ], { USERS: `${turns}`, ROUND: `${round}` });
  const after = used();
  const [requests = 0, duration = 0, failures]: number[] = JSON.parse(
    /^\[.*/m.exec(output)![0],
  );
  if (failures) throw new Error(`requests to "${name}" failed: ${output}`);
  const cpu = (after - before) / requests / 1e3;
  const rate = requests / duration * 1e6;
  return { rate, cpu };
}

/** The command that starts each runtime directly, without npm. */
const RUNTIMES = {
  node: (): Promise<string[]> => Promise.resolve([process.execPath]),
  async deno(): Promise<string[]> {
    const path = await run([...DENO, "eval", "console.log(Deno.execPath())"]);
    return [path, "run", "--allow-all", "--no-lock", "--node-modules-dir=none"]
      .concat([`--import-map=${OFFLINE_MAP}`]);
  },
  async bun(): Promise<string[]> {
    return [await run([...BUN, "-e", "console.log(process.execPath)"])];
  },
};
export type Runtime = keyof typeof RUNTIMES;

/** Returns a side with the product. On Node.js, it is the build that npm publishes. */
export async function createProduct(
  name: string,
  { runtime = "node", plants = 100, users = 3 }: {
    readonly runtime?: Runtime;
    readonly plants?: number;
    readonly users?: number;
  } = {},
): Promise<Side> {
  const main = runtime === "node" ? "dist/cli.js" : "src/cli/main.ts";
  // Not as options, which would override DATABASE_URL.
  const env = {
    PLANTS_FILE: writePlants(plants),
    TOKENS_FILE: writeTokens(users, plants),
  };
  return { name, command: [...await RUNTIMES[runtime](), main], env };
}

/** Returns a bare server that sends the same response as `side`. */
export async function createBare(
  name: string,
  side: Side,
  runtime: Runtime,
): Promise<Side> {
  const server = await startServer(side);
  const response = await send(server);
  const body = await response.text();
  await stop([server]);
  const headers = Object.fromEntries(response.headers);
  for (const own of ["date", "connection", "keep-alive"]) delete headers[own];
  const command = [...await RUNTIMES[runtime](), "bench/sides/bare.mjs"];
  return {
    name,
    command,
    env: { RESPONSE: JSON.stringify({ headers, body }) },
  };
}
