import type { Environment } from "./environment.ts";
import type { Comparison, Figure, Findings, Target } from "./result.ts";
import type { Spread } from "./stats.ts";

/** A group as results.json keeps it. */
export interface GroupResult extends Findings {
  readonly title: string;
  readonly about: string;
  /** When, for how long and where it was measured. */
  readonly measured: {
    readonly date: string;
    readonly rounds: number;
    readonly seconds: number;
    readonly environment: Environment;
  };
}

/** All groups, by their names. */
export type Results = Readonly<Record<string, GroupResult>>;

/** Writes the results for people. All of it comes from `results`. */
export function render(results: Results): string {
  const groups = Object.entries(results);
  const [, newest] = groups.toSorted(([, a], [, b]) =>
    a.measured.date < b.measured.date ? 1 : -1
  )[0]!;
  const { environment } = newest.measured;
  return [
    "# Results of the benchmark",
    "This file is written by `npm run bench`, from `results.json`; nothing in it is typed by hand.",
    describe(environment),
    `Servers and clients are kept on a CPU of their own${
      environment.isPinned ? "" : " where there are two (here they are not)"
    }. The load comes from wrk, one thread, 64 connections where nothing else is said. Two sides are loaded in turn after a warm-up, and both are started anew every three rounds; a ratio is that of the two loads of one round, the first side's figure divided by the second's, and stands as median [95% interval, a bootstrap of the median] (min to max). CPU is the user and system time of the server's processes divided by requests. Equal answers are checked before anything is timed.`,
    "Repeat it with `npm run bench`, or a part with `npm run bench -- --only limits,peers`; `--rounds` and `--seconds` change how long it takes.",
    ...groups.flatMap(([name, group]) => renderGroup(name, group, environment)),
  ].join("\n\n") + "\n";
}

function describe(environment: Environment): string {
  const { cpu, cpus, memory, kernel, versions } = environment;
  return table(["", ""], [
    ["machine", `${cpu}, ${cpus} CPUs, ${memory}`],
    ["kernel", kernel],
    ...Object.entries(versions),
  ]);
}

function renderGroup(
  name: string,
  { title, about, measured, ...found }: GroupResult,
  environment: Environment,
): string[] {
  const { targets = [], comparisons = [], figures = [], skipped = [] } = found;
  const isElsewhere =
    JSON.stringify(measured.environment) !== JSON.stringify(environment);
  return [
    `## ${title}`,
    about,
    `\`--only ${name}\`, ${measured.date}, rounds: ${measured.rounds}, ${measured.seconds} s each.`,
    ...isElsewhere
      ? [
        "This was measured elsewhere or with other versions than stand above:",
        describe(measured.environment),
      ]
      : [],
    ...targets.length > 0 ? [renderTargets(targets)] : [],
    ...comparisons.length > 0 ? [renderComparisons(comparisons)] : [],
    ...figures.length > 0 ? [renderFigures(figures)] : [],
    ...skipped.map(({ name, reason }) =>
      `**Skipped: ${name}.** \`${reason.replaceAll("`", "'")}\``
    ),
  ];
}

function renderTargets(targets: readonly Target[]): string {
  return table(
    ["figure", "target", "reached", "yes/no"],
    targets.map(({ name, target, unit, reached, isMet, reason }) => [
      name,
      target,
      format(reached, unit),
      `${isMet ? "yes" : "**no**"}${reason === undefined ? "" : `: ${reason}`}`,
    ]),
  );
}

function renderComparisons(comparisons: readonly Comparison[]): string {
  return table(
    ["", "against", "throughput", "CPU per request", "p99"]
      .concat(["requests/s", "p50, ms", "p99, ms", "CPU, µs"]),
    comparisons.map(({ name, sides, throughput, cpu, p99 }) => {
      const both = (key: "rate" | "p50" | "p99" | "cpu", digits: number) =>
        sides.map((side) => number(side[key], digits)).join(" / ");
      return [
        name,
        sides[1].name,
        format(throughput, "x"),
        format(cpu, "x"),
        format(p99, "x"),
        both("rate", 0),
        both("p50", 2),
        both("p99", 2),
        both("cpu", 1),
      ];
    }),
  );
}

function renderFigures(figures: readonly Figure[]): string {
  return table(
    ["", "median", "min to max", "unit"],
    figures.map(({ name, unit, spread: { median, min, max } }) => {
      const text = (value: number) => number(value, unit === "µs" ? 2 : 1);
      return [
        name,
        text(median),
        min === max ? "" : `${text(min)} to ${text(max)}`,
        unit,
      ];
    }),
  );
}

function format({ median, min, max, low, high }: Spread, unit: string): string {
  const digits = unit === "x" ? 3 : unit === "" ? 0 : 1;
  const text = (value: number) => number(value, digits);
  const interval = low === undefined || high === undefined || min === max
    ? ""
    : ` [${text(low)}, ${text(high)}]`;
  const extremes = min === max ? "" : ` (${text(min)} to ${text(max)})`;
  const suffix = unit === "x" || unit === "" ? "" : ` ${unit}`;
  return `${text(median)}${suffix}${interval}${extremes}`;
}

/** A number as people write it. */
export function number(value: number, digits: number): string {
  return value.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** A table that can be read as text too. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) =>
    Math.max(3, ...all.map((row) => row[column]!.length))
  );
  const line = (cells: readonly string[], fill = " ") =>
    `| ${
      cells.map((cell, at) => cell.padEnd(widths[at]!, fill)).join(" | ")
    } |`;
  return [
    line(head),
    line(head.map(() => ""), "-"),
    ...rows.map((row) => line(row)),
  ].join("\n");
}
