import metadata from "../../../package.json" with { type: "json" };
import { pluralize } from "../../shared/pluralize.ts";
import { escapeControls } from "../../core/internal/quote.ts";
import { SPECIFICATION } from "../../verify/case.ts";
import type { CaseResult } from "../../verify/verify.ts";

/** The titles of the sections of docs/http-api.md. */
export const SECTIONS: readonly string[] = [
  "Resources",
  "Authentication",
  "Limit",
  "Status codes",
  "Headers",
  "Conditional requests",
  "HEAD and CORS",
  "Paths",
  "Health checks, API explorer, and OpenAPI document",
  "Order of checks",
  "Ignored input",
];

type Counts = Readonly<Record<CaseResult["status"], number>>;

export interface Results extends Counts {
  /** Why the test cases could not run. */
  readonly error?: string | undefined;
  readonly cases: readonly CaseResult[];
}

export const FORMATS: Readonly<
  Record<"text" | "json" | "junit", (results: Results) => string>
> = { text: toText, json: toJson, junit: toJunit };

export function count(cases: readonly CaseResult[]): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status } of cases) counts[status]++;
  return counts;
}

function toText({ cases }: Results): string {
  if (cases.length === 0) return "";
  const levels = [...new Set(cases.map(({ level }) => level))];
  const counts = levels.map((level, index) => {
    const own = cases.filter((each) => each.level === level);
    const { passed, skipped } = count(own);
    const unit = index === 0 ? " test cases passed" : "";
    const rest = skipped > 0 ? `, ${skipped} skipped` : "";
    const shown = `${passed}`.padStart(3);
    return `${level}  ${shown} of ${own.length}${unit}${rest}`;
  });
  const failed = cases.filter(({ status }) => status === "failed");
  const failures = failed.map((result) => {
    const { id, title, section, request } = result;
    const place = `section ${section}: ${SECTIONS[section - 1]}`;
    return [
      ...[`\n${id}  ${title}`, `docs/http-api.md, ${place}`],
      ...[request, ...describe(result)],
    ].join("\n  ");
  });
  const title = `HTTP API ${SPECIFICATION}`;
  return [title, ...counts, ...failures].join("\n");
}

/** Describes the differences of a result, and where equal ones were found. */
export function describe({ differences }: CaseResult): readonly string[] {
  const places = new Map<string, string[]>();
  for (const { location, expected, actual, caseId } of differences) {
    const [wanted, found] = [expected, actual].map(shorten);
    const line = `${location}: expected ${wanted}, got ${found}`;
    places.set(line, [...places.get(line) ?? [], ...caseId ? [caseId] : []]);
  }
  return Array.from(places, ([line, [first, ...others]]) => {
    if (first === undefined) return line;
    const more = others.length === 0
      ? ""
      : ` and ${pluralize(others.length, "other test case")}`;
    return `${line} (${first}${more})`;
  });
}

/** The maximum length of a value in a message, in characters. */
const MAX_LENGTH = 200;

function shorten(text: string): string {
  const rest = text.length > MAX_LENGTH ? "..." : "";
  return escapeControls(text.slice(0, MAX_LENGTH) + rest);
}

/** Formats results as JSON, after the versions of the program and the specification. */
export function toJson(results: object): string {
  const { version } = metadata;
  const report = { version, specification: SPECIFICATION, ...results };
  const toText = (_: string, value: unknown) =>
    value instanceof RegExp ? `${value}` : value;
  return JSON.stringify(report, toText, 2).split("\n").map(escapeControls)
    .join("\n");
}

function toJunit({ error, failed, skipped, cases }: Results): string {
  const errors = error === undefined
    ? []
    : [`<testcase name="start"><error message="${escape(error)}"/></testcase>`];
  const tests = [...errors, ...cases.map(toTestCase)];
  const counts =
    `tests="${tests.length}" failures="${failed}" errors="${errors.length}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="HTTP API ${SPECIFICATION}" ${counts}>`,
    ...[...tests, "</testsuite>"],
  ].join("\n");
}

function toTestCase(result: CaseResult): string {
  const { id, title, level, section, status, request, duration } = result;
  const lines = describe(result);
  const text = escape([request, ...lines].join("\n"));
  const child = {
    passed: "",
    skipped: "<skipped/>",
    failed: `<failure message="${escape(`${lines[0]}`)}">${text}</failure>`,
  }[status];
  const name = escape(`${id}: ${title}`);
  const group = `${level}.${SECTIONS[section - 1]}`;
  const time = duration / 1_000;
  return `<testcase name="${name}" classname="${group}" time="${time}">${child}</testcase>`;
}

/** Escapes text for XML, which does not allow all characters. */
function escape(text: string): string {
  return text.toWellFormed().replace(
    /[&<>"]|(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu,
    (found) => /[&<>"]/.test(found) ? `&#${found.charCodeAt(0)};` : "\ufffd",
  );
}
