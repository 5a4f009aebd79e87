import metadata from "../../package.json" with { type: "json" };
import { escapeControls } from "../domain/quote.ts";
import { SECTIONS } from "../verify/cases.ts";
import type { CaseResult, Difference } from "../verify/verify.ts";
import { toTable } from "./table.ts";

/** The results of a server or a handler. */
export interface Report {
  /** The URL of the server, or the name of the handler. */
  readonly target: string;
  /** The number of test cases that were selected. */
  readonly total: number;
  readonly cases: readonly CaseResult[];
  /** Why the test cases could not run. */
  readonly error?: string;
}

type Formats = ReadonlyMap<string, (reports: readonly Report[]) => string>;

/** Functions that format the report of a server. */
export const SERVER_FORMATS: Formats = new Map([
  ["text", ([report]) => toText(report!)],
  ["json", ([report]) => toJson(report!)],
  ["junit", ([report]) => toJunit(report!)],
]);

/** Functions that format the reports of a class. */
export const CLASS_FORMATS: Formats = new Map([
  ["text", (reports) => toLines(reports)],
  ["csv", (reports) => [HEAD, ...reports.map(toRow)].map(toCsv).join("\n")],
]);

export function hasFailed({ status }: CaseResult): boolean {
  return status === "failed";
}

/** Groups results by their level or section, and counts them by status. */
function group<T>(
  cases: readonly CaseResult[],
  read: (result: CaseResult) => T,
) {
  return [...new Set(cases.map(read))].sort().map((key) => {
    const own = cases.filter((each) => read(each) === key);
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const { status } of own) counts[status]++;
    return { key, own, counts };
  });
}

const byLevel = (cases: readonly CaseResult[]) =>
  group(cases, ({ level }) => level);
const bySection = (cases: readonly CaseResult[]) =>
  group(cases, ({ section }) => section);

function toText({ cases }: Report): string {
  const levels = byLevel(cases).map(({ key, own, counts }, index) => {
    const { passed, skipped } = counts;
    const unit = index === 0 ? " test cases passed" : "";
    const rest = skipped > 0 ? `, ${skipped} skipped` : "";
    return `${key}  ${`${passed}`.padStart(3)} of ${own.length}${unit}${rest}`;
  });
  const failures = cases.filter(hasFailed).map((result) => {
    const { id, title, section, request, differences } = result;
    const place = `docs/http-api.md, section ${section}: ${
      SECTIONS[section - 1]
    }`;
    return [`\n${id}  ${title}`, place, request, ...describe(differences)]
      .join("\n  ");
  });
  return [...levels, ...failures].join("\n");
}

/** Describes differences, and where equal ones were found. */
function describe(differences: readonly Difference[]): readonly string[] {
  const places = new Map<string, string[]>();
  for (const { location, expected, actual, caseId } of differences) {
    const [wanted, found] = shorten(expected, actual);
    const line = `${location}: expected ${wanted}, got ${found}`;
    places.set(line, [...places.get(line) ?? [], ...caseId ? [caseId] : []]);
  }
  return Array.from(places, ([line, [first, ...others]]) => {
    const more = others.length > 0 ? ` and ${others.length} others` : "";
    return first === undefined ? line : `${line} (${first}${more})`;
  });
}

/** The maximum length of a value in a message, in characters. */
const MAX_LENGTH = 200;

/** Truncates two texts so that their first difference is visible, and escapes them. */
function shorten(...texts: readonly [string, string]): readonly string[] {
  const [one, other] = texts;
  let equal = 0;
  while (equal < one.length && one[equal] === other[equal]) equal++;
  const start = equal < MAX_LENGTH / 2 ? 0 : equal - 20;
  const end = start + MAX_LENGTH;
  return texts.map((text) =>
    escapeControls(
      `${start > 0 ? "..." : ""}${text.slice(start, end)}${
        text.length > end ? "..." : ""
      }`,
    )
  );
}

function toJson({ target, error, cases }: Report): string {
  const levels = byLevel(cases).map(({ key, counts }) => [key, counts]);
  const sections = bySection(cases).map(({ key: section, counts }) => (
    { section, title: SECTIONS[section - 1], ...counts }
  ));
  const { version } = metadata;
  const data = { target, version, error, levels: Object.fromEntries(levels) };
  return JSON.stringify({ ...data, sections, cases }, null, 2)
    .split("\n").map(escapeControls).join("\n");
}

function toJunit({ error, cases }: Report): string {
  const suites = bySection(cases).flatMap(({ key, own, counts }) => {
    const sum = own.reduce((sum, { duration }) => sum + duration, 0);
    const { failed, skipped } = counts;
    const attributes = `name="${key}. ${SECTIONS[key - 1]}"` +
      ` tests="${own.length}" failures="${failed}" skipped="${skipped}"` +
      ` time="${sum / 1_000}"`;
    const tests = own.map(toTestCase);
    return [`<testsuite ${attributes}>`, ...tests, "</testsuite>"];
  });
  const errors = error === undefined ? [] : [
    '<testsuite name="verify" tests="1" errors="1">',
    `<testcase name="start"><error message="${escape(error)}"/></testcase>`,
    "</testsuite>",
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    ...["<testsuites>", ...errors, ...suites, "</testsuites>"],
  ].join("\n");
}

function toTestCase(result: CaseResult): string {
  const { id, title, level, status, request, differences } = result;
  const lines = describe(differences);
  const text = escape([request, ...lines].join("\n"));
  const child = {
    passed: "",
    skipped: "<skipped/>",
    failed: `<failure message="${escape(`${lines[0]}`)}">${text}</failure>`,
  }[status];
  const name = escape(`${id}: ${title}`);
  const time = result.duration / 1_000;
  return `<testcase name="${name}" classname="plant-store.${level}" time="${time}">${child}</testcase>`;
}

/** Escapes text for XML, which does not allow all characters. */
function escape(text: string): string {
  return text.toWellFormed().replace(
    /[&<>"]|(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu,
    (found) => /[&<>"]/.test(found) ? `&#${found.charCodeAt(0)};` : "\ufffd",
  );
}

const HEAD = ["name", "passed", "total", "first failure"];

function toRow({ target, error, cases, total }: Report): readonly string[] {
  const passed = cases.filter(({ status }) => status === "passed").length;
  const reason = error ?? cases.find(hasFailed)?.title ?? "";
  return [target, `${passed}`, `${total}`, reason].map(escapeControls);
}

function toLines(reports: readonly Report[]): string {
  const rows = reports.map(toRow)
    .map((
      [name = "", passed, total, reason = ""],
    ) => [name, `${passed} of ${total}`, reason]);
  return rows.length > 0 ? toTable(rows, "") : "";
}

/** Formats a row. Spreadsheets would run text that starts like a formula. */
function toCsv(row: readonly string[]): string {
  return row.map((cell) => cell.replace(/^[=+\-@]/, "'$&"))
    .map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
}
