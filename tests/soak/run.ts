import { randomInt } from "node:crypto";
import { setMaxListeners } from "node:events";
import { readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { memory } from "../../bench/proc.ts";
import { hide, readDocuments } from "../fuzz/arena.ts";
import { makeShop, writeShop } from "../fuzz/data.ts";
import { createDice } from "../fuzz/dice.ts";
import { carryOut } from "../fuzz/exchange.ts";
import type { WireRequest } from "../fuzz/head.ts";
import { judge as judgeIn, type Service } from "../fuzz/model.ts";
import { makePlan } from "../fuzz/plan.ts";
import { startServer } from "../fuzz/server.ts";
import { type Holder, TagBook } from "../fuzz/state.ts";
import { idle, readSlowly } from "./crowd.ts";
import { createJudge } from "./judge.ts";
import { type Findings, type Period, trend, writeReport } from "./report.ts";
import type { Retained } from "./heap.ts";
import { openShop, stock } from "./shop.ts";
import { sendVisitor } from "./visitor.ts";

// npm run soak -- [--minutes N] [--seed S] [--report FILE]
//
// Keeps one server busy with all that may happen to it, holds each answer
// against the model, and measures what becomes of memory, descriptors and times.

/** Normal users, who send 2,000 requests a second together. */
const VISITORS = 40, PAUSE = 20;

/** Connections with generated requests, and how many milliseconds lie between two on each. */
const FUZZERS = 6, FUZZ_PAUSE = 40;

const SLOW_READERS = 6, IDLE = 200;

/** How many minutes a soak has to take so that its second half is free of warm-up. */
const WARM = 20;

/** After so many violations nothing new is learned. */
const MAX_VIOLATIONS = 50;

interface Options {
  readonly minutes: number;
  readonly seed: number;
  readonly report: string | undefined;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "20" },
      seed: { type: "string", default: `${randomInt(2 ** 31)}` },
      report: { type: "string" },
    },
  });
  const read = (name: "minutes" | "seed") => {
    if (/^[1-9]\d{0,9}$/.test(values[name])) return Number(values[name]);
    throw new RangeError(
      `--${name} must be a number from 1 on, not "${values[name]}"`,
    );
  };
  return {
    minutes: read("minutes"),
    seed: read("seed"),
    report: values.report,
  };
}

async function soak({ minutes, seed }: Options): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), "plant-store-soak-"));
  const first = makeShop(seed, stock(0));
  const paths = await writeShop(folder, first);
  const tags = new TagBook();
  const shop = openShop(paths, first, tags);
  const server = await startServer("node", [
    "--plants",
    paths.plants,
    "--tokens",
    paths.tokens,
  ], ["--expose-gc", "--import", "./tests/soak/heap.ts"]);
  const { pid, port } = server;
  const service: Service = {
    runtime: "node",
    basePath: "",
    cors: "*",
    documents: await readDocuments(port, ""),
  };
  const judge = createJudge(service, shop, tags);
  const descriptors = () => readdirSync(`/proc/${pid}/fd`).length;
  await setTimeout(6_000); // the connections on which the documents came are closed

  const before = descriptors();
  const counts = new Map<string, number>();
  const violations: string[] = [];
  const tokens = new Map<string, Holder>();
  const count = (what: string) =>
    void counts.set(what, (counts.get(what) ?? 0) + 1);
  function violate(what: string): void {
    for (const [token, holder] of shop.state.holders) tokens.set(token, holder);
    const age = Date.now() - shop.state.since;
    const told = `${hide(what, tokens)} (${age} ms after a change began)`;
    violations.push(told);
    console.error(`violation: ${told}`);
  }
  const show = ({ kind, start, lines }: WireRequest) =>
    JSON.stringify([kind, start, ...lines.slice(0, 30)]).slice(0, 1_500);

  const perMinute = minutes >= 10 ? 1 : 10;
  const periods: Period[] = Array.from(
    { length: minutes * perMinute },
    () => ({ times: [], resident: [], heap: [], buffers: [] }),
  );
  const start = performance.now();
  const finished = () =>
    Math.floor((performance.now() - start) / 60_000 * perMinute);
  const period = () => periods[finished()];
  const over = new AbortController();
  const { signal } = over;
  setMaxListeners(0, signal);
  const isOver = () =>
    signal.aborted || violations.length >= MAX_VIOLATIONS || server.hasEnded();

  const visitors = Array.from({ length: VISITORS }, (_, index) =>
    sendVisitor({
      port,
      shop,
      judge,
      dice: createDice(seed, -1 - index),
      pause: PAUSE,
      answered(time) {
        period()?.times.push(time);
        count("answers to normal users");
      },
      violated: (request, problem) => violate(`${problem}: ${show(request)}`),
    }));

  /** Does a thing again and again until all is over. */
  async function repeat(
    what: string,
    act: () => Promise<string | undefined>,
  ): Promise<void> {
    while (!isOver()) {
      const problem = await act();
      count(what);
      if (problem !== undefined) violate(`${what}: ${problem}`);
    }
  }
  let index = 0;
  async function fuzz(): Promise<string | undefined> {
    const { state, valid, invalid } = shop;
    const plan = makePlan(
      seed,
      index++,
      () => ({ service, state, valid, expired: invalid }),
      (request) => judgeIn(request, service, state, Date.now()),
    );
    const violation = await carryOut(plan, {
      port,
      isNode: true,
      tags: judge.tags,
      judge: judge.outcomes,
      count: () => count("answers to generated requests"),
    });
    await setTimeout(FUZZ_PAUSE);
    return violation &&
      `${violation.problem}: ${show(plan.requests[violation.index]!)}: ${
        JSON.stringify(violation.received.slice(0, 500))
      }`;
  }
  const changer = createDice(seed, -1_000);
  const work = [
    ...Array.from(
      { length: FUZZERS },
      () => repeat("connections with generated requests", fuzz),
    ),
    ...Array.from(
      { length: SLOW_READERS },
      () => repeat("slow readers", () => readSlowly(port, shop, judge, signal)),
    ),
    ...Array.from(
      { length: IDLE },
      (_, index) =>
        repeat("idle connections", () => idle(port, index % 2 === 0, signal)),
    ),
    repeat("changes of files", async () => {
      await shop.change(changer, server);
      await setTimeout(changer.roll(1_000));
      return undefined;
    }),
  ];
  const sampler = setInterval(
    () => period()?.resident.push(memory(pid).resident),
    1_000,
  );
  for (const [index, { heap, buffers }] of periods.entries()) {
    while (finished() <= index && !isOver()) await setTimeout(200);
    if (isOver()) break;
    const { heapUsed, external } = await server.ask() as Retained;
    heap.push(heapUsed);
    buffers.push(external);
  }

  over.abort();
  clearInterval(sampler);
  for (const visitor of visitors) visitor.stop();
  await Promise.all(work);
  if (server.hasEnded()) violate("the server ended by itself");
  let after = before;
  for (let tries = 0; tries < 75 && !server.hasEnded(); tries++) {
    after = descriptors();
    if (after <= before) break;
    await setTimeout(200);
  }
  if (after > before) {
    violate(`${after} descriptors are open where ${before} were`);
  }
  const { status, stderr } = await server.stop();
  if (status !== 0) violate(`the server ended with ${status}`);
  const logged = /^.*Z error: .*$|^\s+at .*$/m.exec(stderr)?.[0];
  if (logged) violate(`the server logged ${logged}`);
  if (hide(stderr, shop.state.holders) !== stderr) {
    violate("the server told a token");
  }
  counts.set(
    "the longest until a change was served, in ms",
    Math.max(0, ...shop.delays),
  );
  for (const [what, times] of shop.changes) {
    counts.set(`of them: ${what}`, times);
  }
  await rm(folder, { recursive: true });
  return {
    minutes,
    seed,
    perMinute,
    periods,
    descriptors: [before, after],
    counts,
    violations,
  };
}

try {
  if (process.platform !== "linux") {
    throw new Error(
      "memory and descriptors are read from /proc: run it on Linux",
    );
  }
  const options = readOptions();
  const findings = await soak(options);
  const report = writeReport(findings);
  console.log(report);
  if (options.report !== undefined) await writeFile(options.report, report);
  const isLeaking = options.minutes >= WARM &&
    (trend(findings, "heap").low > 0 || trend(findings, "buffers").low > 0);
  if (isLeaking) {
    console.error("soak: what a garbage collection leaves has grown");
  }
  process.exit(findings.violations.length === 0 && !isLeaking ? 0 : 1);
} catch (error) {
  console.error(`soak: ${(error as Error).message}`);
  process.exit(1);
}
