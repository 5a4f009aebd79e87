import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { OtherDataError } from "../../verify/run_case.ts";
import {
  type CaseResult,
  listCases,
  verify,
  type VerifyOptions,
} from "../../verify/verify.ts";
import { PROGRAM } from "../program.ts";
import { count, type Report } from "./report.ts";

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
      return { target: url.href, error: message, ...count(cases), cases };
    }
    await setTimeout(WAIT_MS);
  }
}

/** Runs the test cases until an error stops them, and shows progress on a terminal. */
export async function collect(
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
