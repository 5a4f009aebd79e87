import { fileURLToPath } from "node:url";
import { CLIENT_CPU, run } from "./child.ts";

/** What is asked of a server. */
export interface Query {
  /** Path and query. Default: `/plants?limit=20`. */
  readonly path?: string;
  /** The number of the user whose token is sent, `token-1` for 1. None is sent by default. */
  readonly user?: number;
  /** Other header fields. None by default. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The status that every answer has. Default: 200. */
  readonly status?: number;
}

/** How it is asked. */
export interface Load {
  /** How long, in seconds. */
  readonly seconds: number;
  /** How many connections. Default: 64. */
  readonly connections?: number;
  /** The tokens of so many users in turn, from `first` on; all of one user where `step` is 0. */
  readonly turns?: {
    readonly count: number;
    readonly first: number;
    readonly step: 0 | 1;
  };
}

/** What came of it. */
export interface LoadResult {
  readonly requests: number;
  /** Requests per second. */
  readonly rate: number;
  /** Latencies in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const SCRIPT = fileURLToPath(new URL("wrk.lua", import.meta.url));

/** The path that is asked for where no other is named. */
export const PATH = "/plants?limit=20";

/** The header fields of a query. */
export function headersOf({ user, headers = {} }: Query): [string, string][] {
  const fields = Object.entries(headers);
  return user === undefined
    ? fields
    : [["Authorization", `Bearer token-${user}`], ...fields];
}

/** Loads a server by wrk. Fails when any request does. */
export async function load(
  port: number,
  query: Query,
  { seconds, connections = 64, turns }: Load,
): Promise<LoadResult> {
  const { path = PATH, status = 200 } = query;
  const output = await run([
    "wrk",
    "-t1",
    `-c${connections}`,
    `-d${seconds}s`,
    "--latency",
    "--timeout=30s",
    ...headersOf(query).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    "-s",
    SCRIPT,
    `http://127.0.0.1:${port}${path}`,
  ], {
    cpu: CLIENT_CPU,
    env: turns
      ? {
        TOKEN_COUNT: `${turns.count}`,
        TOKEN_FIRST: `${turns.first}`,
        TOKEN_STEP: `${turns.step}`,
      }
      : {},
  });
  const found = JSON.parse(/^JSON (.*)$/m.exec(output)![1]!) as Record<
    "requests" | "microseconds" | "p50" | "p99" | "failures" | "refusals",
    number
  >;
  // wrk counts statuses from 400 on.
  const isStrange = found.refusals !== (status >= 400 ? found.requests : 0);
  if (found.requests === 0 || found.failures > 0 || isStrange) {
    throw new Error(
      `GET ${path} must give ${status} each time: ` +
        `${found.requests} answers, ${found.refusals} refusals, ${found.failures} socket errors`,
    );
  }
  return {
    requests: found.requests,
    rate: found.requests / found.microseconds * 1e6,
    p50: found.p50 / 1e3,
    p99: found.p99 / 1e3,
  };
}
