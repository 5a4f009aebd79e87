import type { Spread } from "./stats.ts";

// What a run finds, as results.json keeps it.

/** What one side of a comparison did: the medians of its rounds. */
export interface SideFigures {
  readonly name: string;
  /** Requests per second. */
  readonly rate: number;
  /** Latencies in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU time of the server per request, in microseconds. */
  readonly cpu: number;
}

/** Two sides in turn, the first relative to the second. */
export interface Comparison {
  readonly name: string;
  readonly sides: readonly [SideFigures, SideFigures];
  readonly throughput: Spread;
  readonly cpu: Spread;
  readonly p99: Spread;
}

/** A figure beside the comparisons. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly spread: Spread;
}

/** What was to be reached, and what was. */
export interface Target {
  readonly name: string;
  /** In words, such as `at least 0.98`. */
  readonly target: string;
  readonly unit: string;
  readonly reached: Spread;
  readonly isMet: boolean;
  /** Why, where that can't be read off the figure. */
  readonly reason?: string;
}

/** What could not be measured. */
export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

/** What a group found. */
export interface Findings {
  readonly comparisons?: readonly Comparison[];
  readonly figures?: readonly Figure[];
  readonly targets?: readonly Target[];
  readonly skipped?: readonly Skipped[];
}

/** A bound of a ratio or of another figure. */
export interface Bound {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Judges a figure by its median. */
export function judge(
  name: string,
  { atLeast, atMost }: Bound,
  reached: Spread,
  unit = "x",
): Target {
  const isMet = reached.median >= (atLeast ?? -Infinity) &&
    reached.median <= (atMost ?? Infinity);
  return {
    name,
    target: word({ atLeast, atMost }, unit),
    unit,
    reached,
    isMet,
  };
}

/**
 * Judges a throughput. Where its interval holds the bound, the rounds were too
 * noisy to tell, and the CPU time per request decides, which other programs
 * disturb least: `1 / bound` of the other side's, unless `cpuAtMost` says else.
 */
export function judgeThroughput(
  name: string,
  atLeast: number,
  { throughput, cpu }: Comparison,
  cpuAtMost: number = 1 / atLeast,
): Target {
  const target = judge(`${name}: throughput`, { atLeast }, throughput);
  const { low = throughput.min, high = throughput.max } = throughput;
  if (low > atLeast || high < atLeast) return target;
  const [from, to] = [cpu.low ?? cpu.min, cpu.high ?? cpu.max];
  return {
    ...target,
    isMet: cpu.median <= cpuAtMost,
    reason: `too noisy to tell; CPU per request decides: ${
      cpu.median.toFixed(3)
    } [${from.toFixed(3)}, ${to.toFixed(3)}], allowed ${cpuAtMost.toFixed(3)}`,
  };
}

function word(
  { atLeast, atMost }: {
    atLeast: number | undefined;
    atMost: number | undefined;
  },
  unit: string,
): string {
  const suffix = unit === "x" ? "" : ` ${unit}`;
  const bound = (atLeast ?? atMost)!.toLocaleString("en", {
    maximumFractionDigits: 2,
  });
  return `at ${atLeast === undefined ? "most" : "least"} ${bound}${suffix}`;
}
