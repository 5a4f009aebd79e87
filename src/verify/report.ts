import { SECTIONS } from "./cases.ts";
import type { CaseResult } from "./verify.ts";

/** The results of a run. */
export interface Report {
  /** The URL of the server. */
  readonly url: string;
  /** The version of Plant Store. */
  readonly version: string;
  /** The URL of docs/http-api.md in this version. */
  readonly page: string;
  readonly cases: readonly CaseResult[];
}

/** Formats a report. */
export const FORMATS: ReadonlyMap<string, (report: Report) => string> = new Map(
  [["text", toText], ["json", toJson], ["junit", toJunit]],
);

/** Counts results by their status. */
function count(cases: readonly CaseResult[]) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status } of cases) counts[status]++;
  return counts;
}

/** Returns the results of each level that was run. */
function byLevel(cases: readonly CaseResult[]) {
  return [...new Set(cases.map(({ level }) => level))].map((level) =>
    [level, cases.filter((each) => each.level === level)] as const
  );
}

function toText({ cases, page }: Report): string {
  const levels = byLevel(cases).map(([level, own], index) => {
    const { passed, skipped } = count(own);
    const unit = index === 0 ? " test cases passed" : "";
    const rest = skipped > 0 ? `, ${skipped} skipped` : "";
    const number = `${passed}`.padStart(3);
    return `${level}  ${number} of ${own.length}${unit}${rest}`;
  });
  const failures = cases.filter(({ status }) => status === "failed")
    .map(({ id, section, request, differences }) => {
      const title = SECTIONS[section - 1]!.toLowerCase().replaceAll(",", "");
      const anchor = `${section}-${title.replaceAll(" ", "-")}`;
      const lines = [request, ...differences].map((line) => `\n  ${line}`);
      return `\n${id}  section ${section}: ${page}#${anchor}${lines.join("")}`;
    });
  return [...levels, ...failures].join("\n");
}

function toJson({ url, version, cases }: Report): string {
  const levels = Object.fromEntries(
    byLevel(cases).map(([level, own]) => [level, count(own)]),
  );
  return JSON.stringify({ url, version, levels, cases }, null, 2);
}

function toJunit({ cases }: Report): string {
  const suites = SECTIONS.flatMap((title, index) => {
    const own = cases.filter(({ section }) => section === index + 1);
    const { failed, skipped } = count(own);
    const attributes = `name="${index + 1}. ${title}" tests="${own.length}"` +
      ` failures="${failed}" skipped="${skipped}"`;
    const lines = [...own.map(toTestCase), "</testsuite>"];
    return own.length > 0 ? [`<testsuite ${attributes}>`, ...lines] : [];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    ...["<testsuites>", ...suites, "</testsuites>"],
  ].join("\n");
}

function toTestCase(
  { id, level, status, request, differences: [message = "", ...rest] }:
    CaseResult,
): string {
  const text = escape([request, message, ...rest].join("\n"));
  const child = {
    passed: "",
    skipped: "<skipped/>",
    failed: `<failure message="${escape(message)}">${text}</failure>`,
  }[status];
  const attributes = `name="${escape(id)}" classname="plant-store.${level}"`;
  return `<testcase ${attributes}>${child}</testcase>`;
}

/** Escapes text for XML, which does not allow all characters. */
function escape(text: string): string {
  return text.toWellFormed().replace(
    /[&<>"]|(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu,
    (found) => /[&<>"]/.test(found) ? `&#${found.charCodeAt(0)};` : "\ufffd",
  );
}
