import { constants } from "node:os";
import process from "node:process";
import { escapeControls } from "../../core/internal/quote.ts";
import { runTests } from "../../verify/runner.ts";
import { select } from "../../verify/cases.ts";
import type { CaseResult } from "../../verify/verify.ts";
import { type Command, defineCommand } from "../command.ts";
import { PROGRAM } from "../invocation.ts";
import { flushOutput, print } from "../output.ts";
import { parseWord } from "../parse_options.ts";
import {
  type Exercise,
  EXERCISES,
  selectExercise,
} from "../../verify/exercises.ts";
import { openClass } from "./students.ts";
import { count, describe } from "../verify/report.ts";
import { collect } from "../verify/collect.ts";
import { TIMEOUT } from "../verify/verify_command.ts";

/** `grade [DIR]`: runs the test cases with the handler of each student. */
export const gradeCommand: Command = defineCommand({
  help:
    "Grade handler.mjs in DIR, or else in each folder or ZIP archive in DIR (default: students)",
  positional: "[DIR]",
  options: {
    exercise: {
      value: "1|2|3",
      help:
        "Grade the tutorial's steps, and its exercises up to this one, instead of the HTTP API",
      parse: (exercise: string, name: string) =>
        Number(parseWord(exercise, name, ["1", "2", "3"])) as Exercise,
    },
    format: { value: "text|csv", default: "text", help: "Output format" },
    timeout: TIMEOUT,
  },
  notes:
    `The exit status is 1 if a test case failed, or a file was ignored. Instead of a number, "error"
means that the handler responded to no request. Handlers are not fully sandboxed: read the code of surprising results.

Example:
  ${PROGRAM} grade students --exercise 2`,
  async run({ settings }, folder = "students") {
    const { exercise, format, timeout } = settings;
    const tests = exercise ? selectExercise(exercise) : select("core");
    const own = exercise && exercise > 1 ? EXERCISES[exercise] : [];
    const rest = tests.filter((test) => !own.includes(test));
    const parts = own.length > 0
      ? [["exercise ", own], ["rest ", rest]] as const
      : [["", tests]] as const;
    const { students, ignored } = await openClass(folder, timeout);
    if (ignored.length > 0) {
      print(
        `ignored files that are not in a student's folder: ${
          ignored.join(", ")
        }`,
      );
    }
    const width = Math.max(...students.map(({ name }) => name.length));
    if (format === "csv") {
      const heads = parts.map(([label]) => [`${label}passed`, `${label}total`]);
      const columns = ["first failure", "difference", "same as"];
      console.log(toCsv(["name", ...heads.flat(), ...columns]));
    }
    // A handler with an endless loop does not notice the end of this process.
    for (const name of ["SIGHUP", "SIGINT", "SIGTERM"] as const) {
      process.once(name, () => {
        for (const { close } of students) close();
        process.exit(128 + constants.signals[name]);
      });
    }
    // Otherwise, this signal starts a debugger, which a handler could use.
    process.on("SIGUSR1", () => {});
    // The students' workers have their own time limits.
    const options = { timeout: 2 ** 31 - 1, acceptsErrors: true };
    let status = ignored.length > 0 ? 1 : 0;
    for (const { name, url, handler, close } of students) {
      const results = runTests(handler, tests, options);
      const { cases } = await collect(results, tests.length);
      close();
      if (count(cases).failed > 0) status = 1;
      // Of code that responds to no request, no number says how much is right.
      const scores = parts.map(([label, tests]) => {
        const ids = new Set(tests.map(({ id }) => id));
        const own = cases.filter(({ id }) => ids.has(id));
        const hasResponse = own.some(({ response }) => response);
        const passed = hasResponse ? count(own).passed : "error";
        return { label, passed, total: tests.length };
      });
      const sameAs = url &&
        students.find((other) => other.url === url && other.name !== name)
          ?.name;
      const failure = explainFailure(cases);
      if (format === "csv") {
        const cells = scores.flatMap(({ passed, total }) => [passed, total]);
        const row = [name, ...cells, ...failure, sameAs ?? ""];
        console.log(escapeControls(toCsv(row)));
      } else {
        const shown = scores.map(({ label, passed, total }) => {
          const shown = passed === "error" ? passed : `${passed} of ${total}`;
          return label + shown.padStart(`${total} of ${total}`.length);
        });
        const notes = [...failure, sameAs && `same as ${sameAs}`];
        const row = [name.padEnd(width), ...shown, ...notes.filter(Boolean)];
        console.log(escapeControls(row.join("  ")));
      }
    }
    if (!exercise) {
      await flushOutput();
      print(
        "graded only the HTTP API; to grade the tutorial up to an exercise, add --exercise 1, 2, or 3",
      );
    }
    return status;
  },
});

/** Returns the title of the first test case that failed, and what differed. */
function explainFailure(cases: readonly CaseResult[]): readonly string[] {
  const failed = cases.find(({ status }) => status === "failed");
  if (!failed) return ["", ""];
  const { title, response } = failed;
  const [difference = ""] = describe(failed);
  if (response) return [title, difference];
  const reason = difference.replace(/^.* got none: /, "");
  // Code that does not load fails before any test case.
  return cases.some(({ response }) => response)
    ? [title, reason]
    : [reason, ""];
}

/** Formats a row. Spreadsheets would run text that starts like a formula. */
function toCsv(row: readonly (string | number)[]): string {
  return row.map((cell) => `${cell}`.replace(/^[=+\-@]/, "'$&"))
    .map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
}
