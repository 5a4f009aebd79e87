import type { Pair, Rounds } from "./compare.ts";

/** The metrics to show: their names, units, and numbers of decimal places. */
const METRICS: Readonly<Record<string, readonly [string, string, number]>> = {
  rate: ["throughput", "requests/s", 0],
  cpu: ["CPU per request", "µs", 1],
  load: ["load", "ms CPU", 0],
  pause: ["longest pause at a reload", "ms", 0],
  memory: ["memory", "MB", 0],
  peak: ["peak", "MB", 0],
};

/** Returns a Markdown table of the pairs, or of all sides if there are no pairs. */
export function formatTable(pairs: readonly Pair[], sides: Rounds): string {
  const metrics = Object.entries(METRICS)
    .filter(([metric]) => Object.values(sides)[0]![metric]);
  const units = metrics.map(([, [title, unit]]) => `${title}, ${unit}`);
  const rows = pairs.map(([name, against]) => {
    const [side, other] = [sides[name]!, sides[against]!];
    const ratios = metrics.map(([metric]) =>
      format(side[metric]!.map((value, at) => value / other[metric]![at]!), 2)
    );
    const medians = metrics.map(([metric, [, , digits]]) =>
      [side, other].map((each) => number(quantile(each[metric]!, 0.5), digits))
        .join(" / ")
    );
    return [name, against, ...ratios, ...medians];
  });
  if (rows.length > 0) {
    const titles = metrics.map(([, [title]]) => title);
    rows.unshift(["", "against", ...titles, ...units]);
  } else {
    rows.push(["", ...units]);
    for (const [name, side] of Object.entries(sides)) {
      const figures = metrics.map(([metric, [, , digits]]) =>
        format(side[metric]!, digits)
      );
      rows.push([name, ...figures]);
    }
  }
  const [head, ...others] = rows.map((cells) => `| ${cells.join(" | ")} |`);
  return [head, `|${" - |".repeat(rows[0]!.length)}`, ...others].join("\n");
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
