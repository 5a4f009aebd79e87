import { readFile } from "node:fs/promises";
import {
  formatMedian,
  formatRatio,
  type Results,
  table,
} from "../bench/report.ts";
import results from "../bench/results.json" with { type: "json" };

// Fills the table after a `<!-- figures` comment with benchmark figures. Each line
// in the comment is a label, an equals sign, and the location of the figure in
// results.json: `group / side / metric`, or
// `group / side / other side / metric` for the ratio of two sides.

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
    ["Metric", "Result"],
    rows.trim().split("\n").map((row) => {
      const [, label, place] = /^(.*) = (.*)$/.exec(row) ?? [];
      if (label === undefined) throw new Error(`no figure in "${row}"`);
      return [label, find(place!)];
    }),
  );
}

/** Returns a median or a ratio with its confidence interval. */
function find(place: string): string {
  const [group = "", side = "", ...rest] = place.split(" / ");
  const { sides } = (results as unknown as Results)[group] ?? {};
  const metric = rest.pop()!;
  const [values, others] = [sides?.[side], sides?.[rest[0] ?? side]];
  if (!values?.[metric] || !others?.[metric]) {
    throw new Error(`results.json has no ${place}`);
  }
  return rest.length > 0
    ? formatRatio(values, others, metric)
    : formatMedian(values, metric);
}
