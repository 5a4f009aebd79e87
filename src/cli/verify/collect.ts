import process from "node:process";
import type { CaseResult } from "../../verify/verify.ts";

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
