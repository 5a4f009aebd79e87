import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { escapeControls } from "../../core/internal/quote.ts";
import {
  type Exercise,
  listExercise,
  verifyExercise,
} from "../../verify/cases/exercises.ts";
import { OtherDataError } from "../../verify/run_case.ts";
import type { RunOptions } from "../../verify/run_tests.ts";
import {
  type CaseResult,
  listCases,
  verify,
  type VerifyOptions,
} from "../../verify/verify.ts";
import { flushOutput, print } from "../output.ts";
import { PROGRAM } from "../program.ts";
import { openClass } from "./handlers.ts";
import {
  CLASS_COLUMNS,
  count,
  explainFailure,
  type HandlerReport,
  type Report,
  toClassJson,
  toCsv,
} from "./report.ts";

/** The time between attempts to reach a server, in milliseconds. */
const WAIT_MS = 200;

/** Runs the test cases, if necessary after the server has started. */
export async function verifyServer(
  url: URL,
  options: VerifyOptions,
  wait: number,
): Promise<Report> {
  const end = performance.now() + wait;
  const { length: total } = listCases(options);
  for (;;) {
    const { cases, error } = await collect(verify(url, options), total);
    const hasOtherData = error instanceof OtherDataError;
    if (!error || hasOtherData || performance.now() > end) {
      const hint = hasOtherData
        ? `; to create the data, run: ${PROGRAM} verify --write-data test-data`
        : "";
      const message = error && `${error.message}${hint}`;
      return { target: url.href, cases, error: message };
    }
    await setTimeout(WAIT_MS);
  }
}

/** Runs the test cases with the handler of each student, and prints a row for each. */
export async function verifyClass(
  folder: string,
  options: VerifyOptions & RunOptions,
  format: string,
  exercise: Exercise | undefined,
): Promise<number> {
  const { length: total } = exercise
    ? listExercise(exercise)
    : listCases(options);
  const { students, ignored } = await openClass(folder);
  if (ignored.length > 0) {
    print(
      `ignored files that are not in a student's folder: ${ignored.join(", ")}`,
    );
  }
  const width = Math.max(...students.map(({ name }) => name.length));
  if (format === "csv") console.log(toCsv(CLASS_COLUMNS));
  const reports: HandlerReport[] = [];
  for (const { name, handler, close } of students) {
    const results = exercise
      ? verifyExercise(handler, exercise, options)
      : verify(handler, options);
    const { cases, error } = await collect(results, total);
    close();
    const why = error?.message.replace("no response: ", "");
    const report = { name, cases, error: why };
    reports.push(report);
    const { passed } = count(cases);
    const failure = explainFailure(report);
    if (format === "text") {
      const score = `${`${passed}`.padStart(3)} of ${total}`;
      const row = [name.padEnd(width), score, ...failure].join("  ").trimEnd();
      console.log(escapeControls(row));
    } else if (format === "csv") {
      console.log(escapeControls(toCsv([name, passed, total, ...failure])));
    }
  }
  if (format === "json") console.log(toClassJson(reports));
  if (!exercise) {
    await flushOutput();
    print(
      "graded only the HTTP API; to grade the tutorial up to an exercise, add --exercise 1, 2, or 3",
    );
  }
  return reports.some((report) => explainFailure(report)[0] !== "") ? 1 : 0;
}

/** Runs the test cases until an error stops them, and shows progress on a terminal. */
async function collect(
  results: AsyncIterable<CaseResult>,
  total: number,
): Promise<{ cases: readonly CaseResult[]; error?: Error }> {
  const cases: CaseResult[] = [];
  const show = (text: string) =>
    process.stderr.isTTY && process.stderr.write(`\r\x1b[K${text}`);
  try {
    for await (const result of results) {
      cases.push(result);
      show(`${cases.length} of ${total}`);
    }
    return { cases };
  } catch (error) {
    return { cases, error: error as Error };
  } finally {
    show("");
  }
}
