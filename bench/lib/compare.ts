import { setTimeout as wait } from "node:timers/promises";
import { ask, checkEqual } from "./http.ts";
import { cpuTime } from "./proc.ts";
import type { Comparison, SideFigures } from "./result.ts";
import { type RunningSide, type Side, startSide } from "./sides.ts";
import { median, spread } from "./stats.ts";
import { type Load, load, type Query } from "./wrk.ts";

/** One side of a comparison. */
export interface Contender {
  readonly side: Side;
  readonly query: Query;
  /** Whose tokens are sent, by the number of the round; 0 is the warm-up. One user's by default. */
  readonly turns?: (round: number) => Load["turns"];
}

/** How two sides are compared. */
export interface CompareOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections?: number;
  /** What of the answers must be equal. Default: `bytes`, status and header fields included. */
  readonly equal?: "bytes" | "json";
  /** More queries that both must answer with the same status. None by default. */
  readonly refusals?: readonly Query[];
}

/** What one round found. */
export type Round = Omit<SideFigures, "name">;

/** After how many rounds both servers are started anew: what a process is dealt at its start (seeds, what is compiled when) stays with it. */
const ROUNDS_PER_START = 3;

/** Loads two servers in turn, and gives the first relative to the second. */
export async function compare(
  name: string,
  contenders: readonly [Contender, Contender],
  options: CompareOptions,
): Promise<Comparison> {
  const rounds: [Round[], Round[]] = [[], []];
  for (let first = 1; first <= options.rounds; first += ROUNDS_PER_START) {
    const last = Math.min(first + ROUNDS_PER_START - 1, options.rounds);
    await runRounds(contenders, options, [first, last], rounds);
  }
  const names = contenders.map(({ side }) => side.name);
  return summarize(name, names as [string, string], rounds);
}

async function runRounds(
  contenders: readonly [Contender, Contender],
  options: CompareOptions,
  [first, last]: readonly [number, number],
  rounds: readonly [Round[], Round[]],
): Promise<void> {
  const servers: RunningSide[] = [];
  try {
    for (const { side } of contenders) servers.push(await startSide(side));
    const [ours, other] = servers as [RunningSide, RunningSide];
    await check(contenders, [ours.port, other.port], options);
    await settle(servers);
    for (const round of [0, ...range(first, last)]) {
      for (const [index, contender] of contenders.entries()) {
        const found = await measure(
          servers[index]!,
          contender,
          round,
          options,
        );
        if (round > 0) rounds[index]!.push(found); // 0 warms up
      }
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

async function check(
  [ours, other]: readonly [Contender, Contender],
  ports: readonly [number, number],
  { equal = "bytes", refusals = [] }: CompareOptions,
): Promise<void> {
  const names = [ours.side.name, other.side.name] as const;
  await checkEqual(names, ports, [ours.query, other.query], equal);
  for (const refusal of refusals) await checkRefusal(names, ports, refusal);
}

async function checkRefusal(
  names: readonly [string, string],
  ports: readonly [number, number],
  query: Query,
): Promise<void> {
  for (const [index, port] of ports.entries()) {
    const { status } = await ask(port, query);
    if (status === query.status) continue;
    throw new Error(
      `${
        names[index]
      } must answer ${query.path} with ${query.status}, not ${status}`,
    );
  }
}

/** Waits until what the start has left to do is done, such as collecting garbage. */
async function settle(servers: readonly RunningSide[]): Promise<void> {
  const used = () => servers.reduce((sum, { pid }) => sum + cpuTime(pid), 0);
  for (let tries = 0, last = used(); tries < 20; tries++) {
    await wait(250);
    const now = used();
    if (now - last < 10e6) return; // 10 ms of 250
    last = now;
  }
}

async function measure(
  server: RunningSide,
  { query, turns }: Contender,
  round: number,
  { seconds, connections }: CompareOptions,
): Promise<Round> {
  const users = turns?.(round);
  const before = cpuTime(server.pid);
  const { requests, rate, p50, p99 } = await load(server.port, query, {
    seconds,
    ...connections !== undefined && { connections },
    ...users && { turns: users },
  });
  const cpu = (cpuTime(server.pid) - before) / requests / 1e3;
  return { rate, p50, p99, cpu };
}

/** Gives the rounds of two sides, the first relative to the second. */
export function summarize(
  name: string,
  names: readonly [string, string],
  [ours, others]: readonly [readonly Round[], readonly Round[]],
): Comparison {
  const ratio = (key: keyof Round) =>
    spread(ours.map((round, index) => round[key] / others[index]![key]));
  const figures = (index: 0 | 1, rounds: readonly Round[]): SideFigures => ({
    name: names[index],
    rate: median(rounds.map(({ rate }) => rate)),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    cpu: median(rounds.map(({ cpu }) => cpu)),
  });
  return {
    name,
    sides: [figures(0, ours), figures(1, others)],
    throughput: ratio("rate"),
    cpu: ratio("cpu"),
    p99: ratio("p99"),
  };
}
