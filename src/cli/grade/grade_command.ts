import { escapeControls } from "../../core/internal/quote.ts";
import { runTests } from "../../verify/runner.ts";
import { listCases, verify } from "../../verify/verify.ts";
import { type Command, defineCommand } from "../command.ts";
import { PROGRAM } from "../invocation.ts";
import { flushOutput, print } from "../output.ts";
import { parseWord } from "../parse_options.ts";
import { type Exercise, selectExercise } from "./exercises.ts";
import { openClass } from "./students.ts";
import { count, describe, type Results, toJson } from "../verify/report.ts";
import { collect } from "../verify/collect.ts";
import { TIMEOUT } from "../verify/verify_command.ts";

/** The test cases without an exercise. */
const API = { level: "core" } as const;

/** The first row of a table. */
const COLUMNS = ["name", "passed", "total", "first failure", "difference"];

/** `grade [DIR]`: runs the test cases with the handler of each student. */
export const gradeCommand: Command = defineCommand({
  help:
    "Grade a class: test handler.mjs in each folder or ZIP archive in DIR (default: students)",
  positional: "[DIR]",
  options: {
    exercise: {
      value: "1|2|3",
      help:
        "Grade the tutorial's steps, and its exercises up to this one, instead of the HTTP API",
      parse: (exercise: string, name: string) =>
        Number(parseWord(exercise, name, ["1", "2", "3"])) as Exercise,
    },
    format: {
      value: "text|json|csv",
      default: "text",
      help: "Output format",
      parse: (format: string, name: string) =>
        parseWord(format, name, ["text", "json", "csv"]),
    },
    timeout: TIMEOUT,
  },
  notes:
    `The exit status is 1 if a test case failed. Handlers can read and change your files.

Example:
  ${PROGRAM} grade students --exercise 2`,
  async run({ settings }, folder = "students") {
    const { exercise, format, timeout } = settings;
    const tests = exercise ? selectExercise(exercise) : undefined;
    const { length: total } = tests ?? listCases(API);
    const { students, ignored } = await openClass(folder);
    if (ignored.length > 0) {
      print(
        `ignored files that are not in a student's folder: ${
          ignored.join(", ")
        }`,
      );
    }
    const width = Math.max(...students.map(({ name }) => name.length));
    if (format === "csv") console.log(toCsv(COLUMNS));
    const reports = [];
    for (const { name, handler, close } of students) {
      const results = tests
        ? runTests(handler, tests, { timeout })
        : verify(handler, { ...API, timeout });
      const { cases, error } = await collect(results, total);
      close();
      const why = error?.message.replace("no response: ", "");
      const report = { name, error: why, ...count(cases), cases };
      reports.push(report);
      const { passed } = report;
      const failure = explainFailure(report);
      if (format === "text") {
        const score = `${`${passed}`.padStart(3)} of ${total}`;
        const row = [name.padEnd(width), score, ...failure];
        console.log(escapeControls(row.join("  ").trimEnd()));
      } else if (format === "csv") {
        console.log(escapeControls(toCsv([name, passed, total, ...failure])));
      }
    }
    if (format === "json") console.log(toJson({ handlers: reports }));
    if (!exercise) {
      await flushOutput();
      print(
        "graded only the HTTP API; to grade the tutorial up to an exercise, add --exercise 1, 2, or 3",
      );
    }
    return reports.some(({ error, failed }) => error || failed > 0) ? 1 : 0;
  },
});

/** Returns the title of the first test case that failed, and what differed. */
function explainFailure({ error, cases }: Results): readonly string[] {
  const failed = cases.find(({ status }) => status === "failed");
  if (!failed) return [error ?? "", ""];
  return [failed.title, describe(failed)[0] ?? ""];
}

/** Formats a row. Spreadsheets would run text that starts like a formula. */
function toCsv(row: readonly (string | number)[]): string {
  return row.map((cell) => `${cell}`.replace(/^[=+\-@]/, "'$&"))
    .map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
}
