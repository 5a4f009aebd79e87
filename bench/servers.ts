import { Buffer } from "node:buffer";
import { execFile, spawn } from "node:child_process";
import { get } from "node:http";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { BUN, DENO, OFFLINE_MAP } from "../tools/runtimes.ts";
import { writePlants, writeTemporary, writeTokens } from "./data.ts";
import { cpuTime } from "./proc.ts";

/** The CPU for servers. The benchmark, wrk, and the database use the other one. */
export const SERVER_CPU = "0", CLIENT_CPU = "1";

/** A server, and the request to send to it. */
export interface Side {
  readonly name: string;
  /** The command that starts the server, without the port. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Default: `/plants?limit=20`. */
  readonly path?: string;
  /** The number of the user whose token is sent. No token by default. */
  readonly user?: number;
  /** The expected status. Default: 200. */
  readonly status?: number;
  /** The number of users that take turns, starting with user 1. Default: `user` sends all requests. */
  readonly turns?: number;
  /** Another process whose CPU time is reported as `database`. */
  readonly database?: number;
}

/** A server that accepts requests. */
export interface Server {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

const ENV = { ...process.env, NODE_ENV: "production", NO_COLOR: "1" };

/** Runs a program until it exits and returns its output. */
export async function run(
  [program, ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { env: { ...ENV, ...env } };
  return (await promisify(execFile)(program!, args, options)).stdout.trim();
}

/** Tasks that must run before this process exits. */
export const cleanups: (() => Promise<void>)[] = [];

const kills = new Set<() => void>();
process.on("exit", () => kills.forEach((kill) => kill()));
process.on("SIGINT", () => process.exit(1));

/**
 * The next port. It is outside the range for outgoing connections, because a
 * connection from the same port could connect to itself.
 */
let nextPort = 20_000 + process.pid % 10_000;

/** Starts a server and waits until it responds. */
export async function startServer(
  { name, command, env }: Side,
): Promise<Server> {
  const port = nextPort++;
  // Command-line programs read the option; servers in bench/sides read PORT.
  const child = spawn("taskset", [
    "-c",
    SERVER_CPU,
    ...command,
    `--port=${port}`,
  ], {
    env: { ...ENV, PORT: `${port}`, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (text) => errors += text);
  const closed = new Promise((resolve) => child.on("close", resolve));
  const kill = () => void child.kill("SIGKILL");
  kills.add(kill);
  while (!await send(port, {}).catch(() => undefined)) {
    if (child.exitCode !== null) {
      throw new Error(`"${name}" did not start: ${errors}`);
    }
    await setTimeout(20);
  }
  async function stop(): Promise<void> {
    kills.delete(kill);
    kill();
    await closed;
  }
  return { pid: child.pid!, port, stop };
}

const PATH = "/plants?limit=20";

/** A response without its date and the headers for its connection. */
interface Received {
  readonly status: number;
  readonly headers: readonly (readonly string[])[];
  readonly body: string;
}

/** Sends one request. */
export function send(
  port: number,
  { path = PATH, user }: Pick<Side, "path" | "user">,
): Promise<Received> {
  const headers = { ...user !== undefined && { authorization: bearer(user) } };
  const options = { host: "127.0.0.1", port, path, headers, agent: false };
  return new Promise((resolve, reject) => {
    get(options, async (response) => {
      const body = Buffer.concat(await response.toArray()).toString();
      const { statusCode: status = 0, rawHeaders } = response;
      const headers = rawHeaders.flatMap((name, at) =>
        at % 2 === 0 && !/^(?:date|connection|keep-alive)$/i.test(name)
          ? [[name, rawHeaders[at + 1]!]]
          : []
      );
      resolve({ status, headers, body });
    }).on("error", reject);
  });
}

function bearer(user: number): string {
  return `Bearer token-${user}`;
}

/** Loads a server with wrk and returns metrics. Throws if a response has an unexpected status. */
export async function load(
  { pid, port }: Server,
  { name, path = PATH, user, status = 200, turns = 0, database }: Side,
  round: number,
  seconds: number,
): Promise<Record<string, number>> {
  const used = () => [pid, database ?? 0].map(cpuTime);
  const before = used();
  const output = await run([
    ...["wrk", "-t1", "-c64", "--timeout=30s", `-d${seconds}s`],
    ...user === undefined ? [] : ["-H", `Authorization: ${bearer(user)}`],
    ...["-s", "bench/wrk.lua", `http://127.0.0.1:${port}${path}`],
  ], { USERS: `${turns}`, ROUND: `${round}` });
  const after = used();
  const [requests = 0, duration = 0, failures, rejections] = JSON.parse(
    /^\[.*/m.exec(output)![0],
  ) as number[];
  // wrk counts responses with a status of 400 or higher.
  if (failures || rejections !== (status < 400 ? 0 : requests)) {
    throw new Error(`"${name}" must always return ${status}: ${output}`);
  }
  const [cpu = 0, ofDatabase] = after.map((time, at) =>
    (time - before[at]!) / requests / 1e3
  );
  const rate = requests / duration * 1e6;
  return { rate, cpu, ...database && { database: ofDatabase! } };
}

/** The command that starts each runtime directly, without npm. */
export const RUNTIMES = {
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

/** Returns a side with the product. On Node.js, it is the build that npm publishes. */
export async function createProduct(
  name: string,
  { runtime = "node", plants = 100, users = 3 }: {
    readonly runtime?: keyof typeof RUNTIMES;
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
  runtime: keyof typeof RUNTIMES = "node",
): Promise<Side> {
  const server = await startServer(side);
  const response = await send(server.port, side);
  await server.stop();
  const file = `${runtime}-${response.status}.json`;
  const path = writeTemporary(file, () => response);
  const command = [...await RUNTIMES[runtime](), "bench/sides/bare.mjs", path];
  return { ...side, name, command };
}
