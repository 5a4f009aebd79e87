import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { assert, assertEquals } from "@std/assert";
import type { Attack } from "./attack.ts";
import { until, type Victim } from "./victim.ts";

/** How an attack is measured. */
export interface WithstandOptions {
  /** What users ask for. Default: `/plants`. */
  readonly target?: string;
  /** How long the attack goes on before users are asked, in milliseconds. Default: 0. */
  readonly lead?: number;
}

/**
 * How many parts are measured at least without the attack, and as many with it;
 * how many at most, while answers take too long; how long each takes, in
 * milliseconds.
 */
const ROUNDS = 2, MAX_ROUNDS = 8, PART = 900;

/** How many times as long answers may take during an attack. */
const RATIO = 3;

/** Up to how many milliseconds are fine, however short they are without the attack. */
const FLOOR = 25;

/**
 * How many megabytes the server may have more during the attack and after the
 * first round, which V8 keeps to grow into; and how many more after the last.
 */
const PEAK = 150, GROWTH = 64;

/**
 * Asserts that users hardly notice an attack, and that nothing is left of it.
 * What answers take is measured without and with the attack in turn. Of the parts
 * of a kind the one with the shortest p99 counts: what else the machine does only
 * makes them longer, but an attack is in each.
 */
export async function assertWithstands(
  t: TestContext,
  victim: Victim,
  begin: (port: number) => Attack,
  { target = "/plants", lead = 0 }: WithstandOptions = {},
): Promise<void> {
  const users = fork(
    fileURLToPath(import.meta.resolve("./users.ts")),
    [`http://127.0.0.1:${victim.port}${target}`],
  );
  t.after(() => users.kill());
  await ask(users, 500); // nothing is compiled yet
  await setTimeout(500);
  const idle = victim.descriptors();
  const before = victim.memory();

  let without = Infinity, during = Infinity;
  let peak = 0;
  const after: number[] = [];
  const isFine = () => during <= Math.max(without * RATIO, FLOOR);
  for (
    let round = 0;
    round < ROUNDS || (round < MAX_ROUNDS && !isFine());
    round++
  ) {
    without = Math.min(without, percentile(await ask(users, PART), 99));
    const attack = begin(victim.port);
    const timer = setInterval(() => {
      peak = Math.max(peak, victim.memory() - before);
    }, 50);
    try {
      await setTimeout(lead);
      during = Math.min(during, percentile(await ask(users, PART), 99));
    } finally {
      clearInterval(timer);
      await attack.stop();
    }
    await until(() => victim.descriptors() === idle);
    assertEquals(victim.descriptors(), idle, "descriptors");
    after.push(victim.memory() - before);
  }

  const grown = after.at(-1)! - after[0]!;
  const figures = `p99 ${without.toFixed(1)} ms without, ${
    during.toFixed(1)
  } ms during; ${peak.toFixed(0)} MB more during, ${
    grown.toFixed(0)
  } MB more after the last round than after the first; ${idle} descriptors again`;
  t.diagnostic(figures);
  assert(isFine(), figures);
  assert(peak <= PEAK && after[0]! <= PEAK && grown <= GROWTH, figures);
}

/** Has users ask for a while; each has to get the whole answer. Gives the milliseconds that each waited. */
async function ask(
  users: ChildProcess,
  milliseconds: number,
): Promise<number[]> {
  users.send(milliseconds);
  const [{ times, failures }] = await once(users, "message") as [
    { times: number[]; failures: string[] },
  ];
  assertEquals(failures, []);
  return times;
}

function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * percent / 100) - 1]!;
}
