import { relative } from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { run } from "node:test";
import { spec, type TestEvent } from "node:test/reporters";

/** The time in milliseconds after which a file fails, because one of its tests probably hangs. */
const TIMEOUT = 1_800_000;

/** How many failures are shown, and how many others are named: one mistake can cause hundreds. */
const SHOWN = 3, NAMED = 10;

/** The number of tests with each result. */
export type Counts = Record<"pass" | "fail" | "skipped", number>;

/**
 * Runs a test file in a process. Prints its standard output, a line for each file with
 * tests, and its failures with its standard error, or their names if `total` has enough.
 * Adds the results to `total`.
 */
export async function runFile(file: string, total: Counts): Promise<void> {
  const start = performance.now();
  const files = new Map<string, Counts>();
  const others: string[] = [];
  let report = "";

  async function* count(events: AsyncIterable<TestEvent>) {
    for await (const event of events) {
      if (event.type === "test:stdout") {
        process.stdout.write(event.data.message);
      } else if (event.type === "test:stderr") report += event.data.message;
      else if (event.type !== "test:fail" || total.fail < SHOWN) yield event;
      else others.push(event.data.name);
      if (event.type !== "test:pass" && event.type !== "test:fail") continue;
      const { details, skip, file: place = "" } = event.data;
      if (details.type === "suite") continue;
      // A file can import others, and helpers that declare tests.
      const name = /_test\.\w+$/.test(place) ? relative(".", place) : file;
      const counts = files.get(name) ?? { pass: 0, fail: 0, skipped: 0 };
      files.set(name, counts);
      const passed = skip === undefined ? "pass" : "skipped";
      const result = event.type === "test:fail" ? "fail" : passed;
      counts[result]++;
      total[result]++;
    }
  }

  const tests = run({ files: [file], timeout: TIMEOUT });
  for await (const text of Readable.from(count(tests)).compose(new spec())) {
    report += text;
  }
  for (const [name, { pass, fail, skipped }] of files) {
    const rest = skipped > 0 ? `, ${skipped} skipped` : "";
    const sign = fail > 0 ? "✖" : "✔";
    const seconds = Math.round((performance.now() - start) / 1_000);
    const counts = `${pass} passed, ${fail} failed${rest}`;
    console.log(`${sign} ${name}: ${counts} (${seconds} s)`);
  }
  if ([...files.values()].every(({ fail }) => fail === 0)) return;
  const [results = ""] = report.split("✖ failing tests:"); // the same again
  const lines = results.split("\n").filter((line) => !/^\s*✔|^ℹ/.test(line));
  lines.push(...others.slice(0, NAMED).map((name) => `✖ ${name}`));
  const rest = others.length - NAMED;
  if (rest > 0) lines.push(`✖ and ${rest} more`);
  console.log(lines.join("\n"));
}
