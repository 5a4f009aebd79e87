import { readFile } from "node:fs/promises";
import { number, type Results, table } from "../bench/lib/report.ts";
import results from "../bench/results.json" with { type: "json" };
import type { Spread } from "../bench/lib/stats.ts";

// Fills the table after a `<!-- figures` comment with figures of the benchmark.
// Each line of the comment is a label, an equals sign, and the place of the
// figure in results.json: group / row / column.

const FIGURES = /(<!-- figures\n([^]*?)-->\n\n)(?:(?:\|.*\n)+\n)?/g;

/** Returns the document at `path` with current figures. */
export async function fillDocument(path: string): Promise<string> {
  const text = await readFile(path, "utf8");
  return text.replace(
    FIGURES,
    (_, start, rows) => `${start}${writeFigures(rows)}\n\n`,
  );
}

function writeFigures(rows: string): string {
  return table(
    ["measured", "figure"],
    rows.trim().split("\n").map((row) => {
      const [, label, place] = /^(.*) = (.*)$/.exec(row) ?? [];
      if (label === undefined) throw new Error(`${row} names no figure`);
      return [label, find(place!)];
    }),
  );
}

/** A figure of the benchmark: its median, and how far it can be trusted. */
function find(place: string): string {
  const [group = "", row, column] = place.split(" / ");
  const { comparisons = [], figures = [] } =
    (results as unknown as Results)[group] ?? {};
  const figure = figures.find(({ name }) => name === row);
  if (figure) return write(figure.spread, ` ${figure.unit}`);
  const comparison = comparisons.find(({ name, sides }) =>
    name === row || sides[1].name === row
  );
  if (comparison && (column === "throughput" || column === "cpu")) {
    return write(comparison[column], "");
  }
  if (comparison && column === "rate") {
    return number(comparison.sides[0].rate, 0);
  }
  throw new Error(`results.json has no ${place}`);
}

function write({ median, low, high, min, max }: Spread, unit: string): string {
  const digits = unit === "" ? 2 : 1;
  const text = (value: number) => number(value, digits);
  if (low !== undefined && high !== undefined && unit === "") {
    return `${text(median)} [${text(low)}, ${text(high)}]`;
  }
  const extremes = min === max ? "" : ` (${text(min)} to ${text(max)})`;
  return `${text(median)}${unit}${extremes}`;
}
