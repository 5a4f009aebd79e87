import process from "node:process";
import { fit, type Trend } from "./trend.ts";

/** What was measured in a period of the soak: a minute, or less where it is short. */
export interface Period {
  /** How many milliseconds each answer to a normal user took. */
  readonly times: number[];
  /** How many bytes were resident, each second. */
  readonly resident: number[];
  /** How many bytes of the heap, and outside of it, a garbage collection at its end left. */
  readonly heap: number[];
  readonly buffers: number[];
}

/** What a soak has found. */
export interface Findings {
  readonly minutes: number;
  readonly seed: number;
  /** How many periods a minute has. */
  readonly perMinute: number;
  readonly periods: readonly Period[];
  /** Open descriptors of the server, when it started and after all clients had gone. */
  readonly descriptors: readonly [start: number, end: number];
  /** How often each thing was done. */
  readonly counts: ReadonlyMap<string, number>;
  /** The answers that were not right, and whatever else went wrong. */
  readonly violations: readonly string[];
}

/**
 * Fits a line through the mean of each period of the second half. In the first
 * ten minutes even an idle server compiles and optimizes a few hundred KiB.
 */
export function trend(
  { periods, perMinute }: Findings,
  measured: "resident" | "heap" | "buffers",
): Trend {
  const first = Math.floor(periods.length / 2);
  return fit(
    periods.flatMap((period, index) => {
      const values = period[measured];
      return index < first || values.length === 0
        ? []
        : [[index / perMinute, mean(values)] as const];
    }),
  );
}

const mean = (values: readonly number[]) =>
  values.reduce((a, b) => a + b, 0) / (values.length || 1);

const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(2);

/** Writes a report as Markdown. */
export function writeReport(findings: Findings): string {
  const { minutes, seed, periods, perMinute, descriptors, counts, violations } =
    findings;
  const growth = (measured: "resident" | "heap" | "buffers") => {
    const { slope, low, high } = trend(findings, measured);
    const isFlat = low <= 0 && high >= 0;
    return `${mebibytes(slope)} MiB a minute (95% confidence: ${
      mebibytes(low)
    } to ${mebibytes(high)})${isFlat ? ", which can't be told from none" : ""}`;
  };
  const rows = periods.map(({ times, resident, heap, buffers }, index) => {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) =>
      sorted[Math.floor(sorted.length * share)] ?? 0;
    return [
      ((index + 1) / perMinute).toFixed(perMinute === 1 ? 0 : 1),
      times.length,
      at(0.5).toFixed(2),
      at(0.99).toFixed(2),
      (sorted.at(-1) ?? 0).toFixed(1),
      mebibytes(mean(resident)),
      mebibytes(mean(heap)),
      mebibytes(mean(buffers)),
    ];
  });
  return `# Soak

\`npm run soak -- --minutes ${minutes} --seed ${seed}\` on Node ${process.versions.node}: one server, under
normal users, generated requests, slow readers, idle connections, aborts,
reloads, bad files and token changes at once. Each answer was held against the
model of \`tests/fuzz\`.

${
    table(["what", "found"], [
      ["violations", violations.length],
      ["heap after warm-up", growth("heap")],
      ["buffers after warm-up", growth("buffers")],
      ["resident memory after warm-up", growth("resident")],
      [
        "open descriptors",
        `${descriptors[0]} at the start, ${descriptors[1]} at the end`,
      ],
      ...counts,
    ])
  }

## By ${perMinute === 1 ? "minute" : "part of a minute"}

What normal users waited, in milliseconds, with all else going on; the mean
resident memory, and what a garbage collection at the end of the minute leaves
on the heap and in buffers, in MiB.

${
    table([
      "minute",
      "answers",
      "median",
      "p99",
      "longest",
      "resident",
      "heap",
      "buffers",
    ], rows)
  }
${
    violations.length > 0
      ? `\n## Violations\n\n${violations.map((each) => `- ${each}\n`).join("")}`
      : ""
  }`;
}

function table(
  head: readonly string[],
  rows: Iterable<readonly (string | number)[]>,
): string {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) =>
    Math.max(3, ...all.map((row) => row[column]!.length))
  );
  const lines = all.map((row) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`
  );
  lines.splice(
    1,
    0,
    `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`,
  );
  return lines.join("\n");
}
