import { type Case, type CaseInfo, type Rule, toInfo } from "./case.ts";
import { startsWithAny } from "./cases.ts";
import { type Client, type ClientOptions, createClient } from "./client.ts";
import type { Difference } from "./compare.ts";
import {
  applyRule,
  LIST_ALL_REQUEST,
  type Outcome,
  runCase,
  startRun,
} from "./run_case.ts";
import type { FetchHandler } from "./send_to_handler.ts";

/** The result of a test case. */
export interface CaseResult extends CaseInfo {
  /**
   * `skipped` if the test case did not run: because of an option, because no response
   * is relevant or its user has no token, because only a server can receive the request, or
   * because the implementation has stopped responding.
   */
  readonly status: "passed" | "failed" | "skipped";
  /** A curl command that sends the request. */
  readonly request: string;
  /** The response, if there is one. Long bodies are truncated. */
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  /** The differences from the contract. */
  readonly differences: readonly Difference[];
  /** How long the test case took, in milliseconds. */
  readonly duration: number;
}

/** Options for {@linkcode runTests}, as in {@linkcode VerifyOptions}. */
export interface RunOptions extends ClientOptions {
  readonly skip?: readonly string[];
  readonly bail?: boolean | undefined;
}

/** The maximum length of a body in a result, in characters. */
const MAX_BODY_LENGTH = 10_000;

/**
 * Runs test cases one after another, and yields the results of those that are selected.
 *
 * @param selected The test cases to report; the others run for the rules. Default: all.
 */
export async function* runTests(
  target: string | URL | FetchHandler,
  tests: readonly (Case | Rule)[],
  { skip = [], bail = false, ...rest }: RunOptions,
  selected: readonly (Case | Rule)[] = tests,
): AsyncGenerator<CaseResult, void, undefined> {
  const client = await createClient(target, rest);
  const run = await startRun(client, typeof target !== "function");
  let hasStopped = false;
  for (const test of tests) {
    const start = performance.now();
    const isSkipped: boolean = hasStopped || client.isSilent() ||
      startsWithAny(test.id, skip);
    const outcome = isSkipped
      ? undefined
      : test.kind === "rule"
      ? applyRule(test, run)
      : await runCase(test, run);
    if (!selected.includes(test)) continue;
    const duration = Math.round(performance.now() - start);
    const result = toResult(test, client, outcome, duration);
    hasStopped ||= bail && result.status === "failed";
    yield result;
  }
}

/** Creates a result. Without an outcome, the test case was skipped. */
function toResult(
  test: Case | Rule,
  client: Client,
  outcome: Outcome | undefined,
  duration: number,
): CaseResult {
  const request = test.kind === "case" ? test.request : LIST_ALL_REQUEST;
  const { requests = [request], response, differences = [] } = outcome ?? {};
  const result = differences.length > 0 ? "failed" : "passed";
  return {
    ...toInfo(test),
    status: outcome ? result : "skipped",
    request: client.toCurl(requests),
    ...response && {
      response: {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: response.body.slice(0, MAX_BODY_LENGTH),
      },
    },
    differences,
    duration,
  };
}
