import { randomInt } from "node:crypto";
import process from "node:process";
import { parseArgs } from "node:util";
import { type Arena, openArena } from "./arena.ts";
import type { Violation } from "./exchange.ts";
import { KIND_NAMES, type World } from "./grammar.ts";
import type { WireRequest } from "./head.ts";
import type { Outcome, Service } from "./model.ts";
import { makePlan, type Plan, toText } from "./plan.ts";
import { shrink } from "./shrink.ts";
import { sendSlowly } from "./slow.ts";

// npm run fuzz -- [--requests N] [--seed S]... [--runtime node|deno|bun]
//
// Sends generated requests to servers over sockets, and holds each answer
// against the model. The same seed makes the same requests; `fresh` is another
// one each time.

/** How many connections are open at a time. */
const CONNECTIONS = 48;

/** After how many violations a run ends. */
const MAX_VIOLATIONS = 5;

/** Of how many answers each status has to be one, so that it is known to be tried: a thousandth each unless it is rarer. */
const REACHED: Readonly<
  Record<Service["runtime"], Readonly<Record<number, number>>>
> = {
  node: {
    200: 0.2,
    204: 0.01,
    304: 0.01,
    400: 0.05,
    401: 0.03,
    404: 0.03,
    405: 0.005,
    414: 0.0002,
    417: 0.0005,
    431: 0.0005,
  },
  deno: {
    200: 0.2,
    204: 0.01,
    304: 0.01,
    400: 0.05,
    401: 0.03,
    404: 0.03,
    405: 0.005,
    414: 0.0002,
  },
  bun: {
    200: 0.2,
    204: 0.01,
    304: 0.01,
    400: 0.05,
    401: 0.03,
    404: 0.03,
    405: 0.005,
    414: 0.0002,
    431: 0.0005,
  },
};

interface Options {
  readonly requests: number;
  readonly seeds: readonly number[];
  readonly runtime: Service["runtime"];
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      requests: { type: "string", default: "1000000" },
      seed: { type: "string", multiple: true, default: ["fresh"] },
      runtime: { type: "string", default: "node" },
    },
  });
  const { runtime } = values;
  if (runtime !== "node" && runtime !== "deno" && runtime !== "bun") {
    throw new RangeError(
      `--runtime must be node, deno or bun, not "${runtime}"`,
    );
  }
  return {
    requests: readNumber("requests", values.requests),
    seeds: values.seed.map((seed) =>
      seed === "fresh" ? randomInt(2 ** 31) : readNumber("seed", seed)
    ),
    runtime,
  };
}

function readNumber(name: string, text: string): number {
  if (/^(?:0|[1-9]\d{0,9})$/.test(text)) return Number(text);
  throw new RangeError(`--${name} must be a number, not "${text}"`);
}

/** What a run has found. */
class Tally {
  answers = 0;
  connections = 0;
  idleClosed = 0;
  readonly kinds: Map<string, number> = new Map(
    KIND_NAMES.map((kind) => [kind, 0]),
  );
  readonly statuses = new Map<number, number>();
  violations = 0;

  count({ kind }: WireRequest, status: number): void {
    this.answers++;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }
}

/** Sends as many requests as are wanted, and tells whether all was right. */
async function fuzz(options: Options, seed: number): Promise<boolean> {
  const { runtime, requests } = options;
  const arena = await openArena(runtime, seed);
  const tally = new Tally();
  const slow = runtime === "node" ? sendSlowly(arena.port, 8) : undefined;
  const start = performance.now();
  let index = 0;
  async function connectAgainAndAgain(): Promise<void> {
    while (
      tally.answers < requests && tally.violations < MAX_VIOLATIONS &&
      !arena.hasEnded()
    ) {
      const at = index++;
      const { world, ...plan } = makePlan(seed, at, arena.choose, arena.judge);
      tally.connections++;
      const violation = await arena.send(
        plan,
        world,
        (request, { status }) => tally.count(request, status),
        () => tally.idleClosed++,
      );
      if (violation) {
        tally.violations++;
        await tell(arena, seed, at, plan, world, violation);
      }
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connectAgainAndAgain));
  const seconds = (performance.now() - start) / 1_000;

  const problems: string[] = [];
  for (const status of await slow ?? []) {
    if (status === 408) {
      tally.count({ kind: "slow", start: "", lines: [], body: "" }, 408);
    } else problems.push(`a slow request was answered ${status}, not 408`);
  }
  problems.push(...await arena.close(), ...judgeReach(tally, runtime));
  print(tally, { runtime, seed, seconds });
  for (const problem of problems) console.error(`fuzz: ${problem}`);
  return tally.violations === 0 && problems.length === 0;
}

/** A run that tries little proves little. */
function judgeReach(
  { answers, kinds, statuses }: Tally,
  runtime: Service["runtime"],
): string[] {
  const problems: string[] = [];
  for (const [status, share] of Object.entries(REACHED[runtime])) {
    const count = statuses.get(Number(status)) ?? 0;
    if (count < answers * share) {
      problems.push(
        `only ${count} of ${answers} answers had the status ${status}`,
      );
    }
  }
  for (const [kind, count] of kinds) {
    if (KIND_NAMES.includes(kind) && count < answers / 500) {
      problems.push(`only ${count} of ${answers} answers were to "${kind}"`);
    }
  }
  if (answers === 0) problems.push("nothing was answered");
  return problems;
}

function print(
  { answers, connections, idleClosed, kinds, statuses, violations }: Tally,
  { runtime, seed, seconds }: {
    runtime: string;
    seed: number;
    seconds: number;
  },
): void {
  const list = (counts: ReadonlyMap<string | number, number>) =>
    Array.from(counts, ([name, count]) => `${name} ${count}`).join(", ");
  const sorted = new Map([...statuses].sort(([a], [b]) => a - b));
  console.log(
    `fuzz on ${runtime}, seed ${seed}: ${answers} answers on ${connections} connections in ${
      seconds.toFixed(1)
    } s, ${Math.round(answers / seconds)} per second`,
  );
  console.log(`  by status: ${list(sorted)}`);
  console.log(`  by kind: ${list(kinds)}`);
  console.log(`  idle connections closed before a request: ${idleClosed}`);
  console.log(`  violations: ${violations}`);
}

/** Tells of a violation, with the smallest request that still shows it. */
async function tell(
  arena: Arena,
  seed: number,
  index: number,
  plan: Plan,
  world: World,
  violation: Violation,
): Promise<void> {
  const show = (text: string) =>
    JSON.stringify(arena.mask(text).slice(0, 1_500));
  const alone = (request: WireRequest): Plan => ({
    requests: [request],
    delivery: "at once",
    tail: "",
  });
  const isWrong = async (request: WireRequest) =>
    await arena.send(alone(request), world, () => {}) !== undefined;

  const culprit = plan.requests[violation.index]!;
  const { service } = world;
  console.error(
    `violation: seed ${seed}, connection ${index}, request ${
      violation.index + 1
    } of ${plan.requests.length} (${culprit.kind}), sent ${plan.delivery}${
      plan.leave ? `, then ${plan.leave} after ${plan.cut} bytes` : ""
    }`,
  );
  console.error(
    `  server: base path "${service.basePath}", CORS ${service.cors}`,
  );
  let found = violation;
  if (plan.cut === undefined && await isWrong(culprit)) {
    const small = await shrink(culprit, isWrong);
    found = await arena.send(alone(small), world, () => {}) ?? violation;
    console.error(`  request: ${show(toText(small))}`);
  } else {
    const sent = plan.requests.slice(0, violation.index + 1);
    console.error(`  requests: ${show(sent.map(toText).join(""))}`);
  }
  console.error(`  problem: ${arena.mask(found.problem)}`);
  console.error(`  received: ${show(found.received)}`);
  console.error(
    `  expected: ${found.expected.map(describe).map(show).join(" or ")}`,
  );
}

function describe({ status, fields, content, error, end }: Outcome): string {
  const body = error === undefined ? content?.body ?? "" : `error ${error}`;
  return `${status} ${JSON.stringify(fields)} ${
    body.slice(0, 500)
  } and the connection ${end}`;
}

try {
  const options = readOptions();
  const results = await Promise.all(
    options.seeds.map((seed) => fuzz(options, seed)),
  );
  process.exit(results.every(Boolean) ? 0 : 1);
} catch (error) {
  console.error(`fuzz: ${(error as Error).message}`);
  process.exit(1);
}
