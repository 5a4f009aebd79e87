import type { Group, Rounds, Settings } from "./compare.ts";

/** A group in results.json. */
export interface GroupResult
  extends Pick<Group, "title" | "about" | "pairs">, Settings {
  readonly date: string;
  /** The machine and the versions. */
  readonly environment: string;
  readonly sides: Rounds;
}

/** The content of results.json, by the name of the group. */
export type Results = Readonly<Record<string, GroupResult>>;

/** The metrics to show: their names, units, and numbers of decimal places. */
const METRICS: Readonly<Record<string, readonly [string, string, number]>> = {
  rate: ["throughput", "requests/s", 0],
  cpu: ["CPU per request", "µs", 1],
  database: ["database CPU per request", "µs", 1],
  load: ["load", "ms CPU", 0],
  parse: ["`JSON.parse`", "ms CPU", 0],
  pause: ["longest pause at a reload", "ms", 0],
  memory: ["memory", "MB", 0],
  peak: ["peak", "MB", 0],
  warm: ["request", "µs CPU", 1],
  byTag: ["first list by tag", "µs CPU", 0],
  byName: ["first list by name", "µs CPU", 0],
};

/** Returns the content of RESULTS.md. */
export function render(results: Results): string {
  const { environment } = Object.values(results)
    .reduce((a, b) => b.date > a.date ? b : a);
  return [
    "# Benchmark results",
    "The plant store under the same load as other servers, in the same run. Each ratio is the plant store's figure divided by that of the other server: throughput above 1 and CPU time below 1 mean that the plant store is faster. Figures are medians, and brackets contain the middle half of the rounds. The noise row compares a server with itself; smaller differences are not significant.",
    renderSummary(results),
    `Measured on ${environment}.`,
    "[CONTRIBUTING.md](../CONTRIBUTING.md#benchmarks-and-images) shows how to run the benchmark. This file is generated from [results.json](results.json), which has the figures of every round.",
    "## Method",
    "Servers run on one CPU, and wrk runs on the other with 64 connections. All sides of a group are started, and their responses are compared; then each round loads one side after another. There are three starts, each with a warm-up that is twice as long as a round. A ratio is the median of the ratios in all rounds. CPU time is that of the server process, from the Linux scheduler.",
    ...Object.entries(results).flatMap(([name, group]) => [
      `## ${group.title}`,
      group.about,
      `\`npm run bench -- ${name}\`, ${group.date}, ${group.rounds} rounds, ${group.seconds} s each${
        group.environment === environment ? "" : `, on ${group.environment}`
      }`,
      renderGroup(group),
    ]),
  ].join("\n\n") + "\n";
}

/** Returns a table of the pairs that have a label. */
export function renderSummary(results: Results): string {
  const rows = Object.values(results).flatMap(({ pairs, sides }) =>
    pairs.flatMap(([side, against, label]) =>
      label === undefined ? [] : [[
        label,
        formatRatio(sides[side]!, sides[against]!, "rate"),
        formatRatio(sides[side]!, sides[against]!, "cpu"),
      ]]
    )
  );
  return table(["compared with", "throughput", "CPU per request"], rows);
}

/** Returns a table of all sides of a group, or of its pairs if it has any. */
function renderGroup({ pairs, sides }: GroupResult): string {
  const metrics = Object.entries(METRICS)
    .filter(([metric]) => Object.values(sides)[0]![metric]);
  const units = metrics.map(([, [title, unit]]) => `${title}, ${unit}`);
  if (pairs.length === 0) {
    const rows = Object.entries(sides).map(([name, side]) => [
      name,
      ...metrics.map(([metric, [, , digits]]) => format(side[metric]!, digits)),
    ]);
    return table(["", ...units], rows);
  }
  const head = metrics.map(([, [title]]) => title);
  const rows = pairs.map(([name, against]) => {
    const both = [sides[name]!, sides[against]!] as const;
    return [
      ...[name, against],
      ...metrics.map(([metric]) => formatRatio(...both, metric)),
      ...metrics.map(([metric, [, , digits]]) =>
        both.map((side) => number(quantile(side[metric]!, 0.5), digits))
          .join(" / ")
      ),
    ];
  });
  return table(["", "against", ...head, ...units], rows);
}

function formatRatio(
  side: Rounds[string],
  against: Rounds[string],
  metric: string,
): string {
  const others = against[metric]!;
  return format(side[metric]!.map((value, at) => value / others[at]!), 2);
}

/** Formats the median and the middle half of values. */
function format(values: readonly number[], digits: number): string {
  const [low, median, high] = [0.25, 0.5, 0.75]
    .map((part) => number(quantile(values, part), digits));
  return `${median} [${low}, ${high}]`;
}

/** Returns the value below which a part of all values lies. */
function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at % 1);
}

function number(value: number, digits: number): string {
  return value.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** Formats a Markdown table with aligned columns. */
function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]!.length))
  );
  const line = (cells: readonly string[], fill = " ") =>
    `| ${
      cells.map((cell, at) => cell.padEnd(widths[at]!, fill)).join(" | ")
    } |`;
  const rule = line(head.map(() => ""), "-");
  return [line(head), rule, ...rows.map((row) => line(row))].join("\n");
}
