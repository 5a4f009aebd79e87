import { type Case, type CaseInfo, type Rule, toInfo } from "./case.ts";
import { hasId } from "./cases.ts";
import { type Client, createClient } from "./client.ts";
import { type Difference, showStatus } from "./compare.ts";
import { PLANTS } from "./data.ts";
import type { VerifyOptions } from "./options.ts";
import {
  applyRule,
  LIST_ALL_REQUEST,
  type Outcome,
  runCase,
} from "./run_case.ts";
import type { FetchHandler } from "./send_to_handler.ts";

/** The result of a test case. */
export interface CaseResult extends CaseInfo {
  /**
   * `skipped` if the test case did not run: because of an option, because no response
   * is relevant, or because its user has no token.
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

/** The error if a server does not have the test data. */
export class OtherDataError extends Error {}

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
  options: Omit<VerifyOptions, "level" | "only"> & {
    /** Whether to run the test cases even if the first response is an error. */
    readonly acceptsErrors?: boolean;
  },
  selected: readonly (Case | Rule)[] = tests,
): AsyncGenerator<CaseResult, void, undefined> {
  const client = await createClient(target, options);
  if (!options.acceptsErrors) {
    await sendFirst(client, typeof target !== "function");
  }
  const outcomes = new Map<string, Outcome>();

  async function run(test: Case | Rule): Promise<Outcome | undefined> {
    if (test.kind === "rule") return applyRule(test, outcomes);
    if (!client.canSend(test)) return undefined;
    const outcome = await runCase(test, client.send);
    // HTTP libraries do not check credentials.
    const isFromService = !test.mayBypassService ||
      outcome.response?.status === 401;
    if (isFromService) outcomes.set(test.id, outcome);
    return outcome;
  }

  let hasStopped = false;
  for (const test of tests) {
    const start = performance.now();
    const isSkipped = hasStopped || hasId(test, options.skip ?? []);
    const outcome = isSkipped ? undefined : await run(test);
    if (!selected.includes(test)) continue;
    const duration = Math.round(performance.now() - start);
    const result = toResult(test, client, outcome, duration);
    if (options.bail) hasStopped ||= result.status === "failed";
    yield result;
    if (!client.isSilent()) continue;
    throw new Error(`no more responses after the test case ${test.id}`);
  }
}

/**
 * Sends the first request, and checks that it reaches this API.
 *
 * @throws {OtherDataError} If a server has other data.
 * @throws {Error} If the response is missing, fails, or is not from this API.
 */
async function sendFirst(client: Client, isServer: boolean): Promise<void> {
  const first = await client.send(LIST_ALL_REQUEST).catch(({ message }) => {
    throw new Error(`the first request failed: ${message}`);
  });
  const { status, headers, body } = first;
  const isJson = status === 200 &&
    /^\s*(?:["[{]|(?:null|true|false|-?[\d.]+)\s*$)/.test(body);
  const hasPlants = PLANTS.some(({ name }) => body.includes(name));
  if (isServer && (status === 401 || isJson && !hasPlants)) {
    const found = status === 401 ? "401" : "none of its plants";
    const curl = client.toCurl(LIST_ALL_REQUEST);
    throw new OtherDataError(
      `the server does not serve the test data, or it does not read Authorization: ${curl} returned ${found}`,
    );
  }
  if (isJson) return;
  const type = headers.get("content-type") ?? "no Content-Type";
  const hint = isServer
    ? "; the URL must lead to this API, with its base path"
    : "";
  throw new Error(
    `GET /plants returned ${showStatus(first)} and ${type}${hint}`,
  );
}

/** Creates a result. Without an outcome, the test case was skipped. */
function toResult(
  test: Case | Rule,
  client: Client,
  outcome: Outcome | undefined,
  duration: number,
): CaseResult {
  const sent = test.kind === "case" ? test.request : LIST_ALL_REQUEST;
  const { request = sent, response, differences = [] } = outcome ?? {};
  const result = differences.length > 0 ? "failed" : "passed";
  return {
    ...toInfo(test),
    status: outcome ? result : "skipped",
    request: client.toCurl(request),
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
