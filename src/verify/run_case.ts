import type {
  Case,
  CaseInfo,
  CaseRequest,
  CaseResponse,
  Rule,
} from "./case.ts";
import { ALL, toRequest } from "./cases/group.ts";
import { type Client, fillEtag } from "./client.ts";
import { compare, compareToGet, type Difference } from "./compare.ts";

/** The request for all plants, which every implementation accepts. */
export const LIST_ALL_REQUEST: CaseRequest = toRequest("GET /plants", ALL);

const wait = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** How many times requests that are sent at the same time are repeated. */
const ROUNDS = 10;

/** What a test case sent, received, and found. */
export interface Outcome {
  readonly requests: readonly CaseRequest[];
  readonly response?: CaseResponse | undefined;
  readonly differences: readonly Difference[];
}

/** A request and its response, with the ID of their test case. */
export interface Exchange {
  readonly caseId: string;
  readonly request: CaseRequest;
  readonly response: CaseResponse;
}

/**
 * Runs a test case.
 *
 * @param first The response to {@linkcode LIST_ALL_REQUEST}.
 */
export async function runCase(
  { before, rival, ...test }: Omit<Case, keyof CaseInfo | "kind">,
  send: Client["send"],
  first: CaseResponse,
): Promise<Outcome> {
  let { request } = test;
  let response: CaseResponse | undefined;
  const differences: Difference[] = [];
  try {
    const usesEtag = JSON.stringify(request).includes("ETAG");
    const previous = usesEtag
      ? await send(test.previousRequest ?? LIST_ALL_REQUEST)
      : first;
    const etag = previous.headers.get("etag");
    if (usesEtag) request = fillEtag(request, etag ?? '""');
    if (test.waitSeconds) await wait(test.waitSeconds * 1_000);
    const responses = rival
      ? await sendAtOnce(send, request, rival)
      : [await send(request, before)];
    const isWrong = (each: CaseResponse) => check(test, each, first).length > 0;
    response = responses.find(isWrong) ?? responses[0]!;
    differences.push(...check(test, response, first));
    if (usesEtag && !etag) {
      const expected = "an ETag in the previous response";
      differences.push({ location: "etag", expected, actual: "none" });
    }
    if (request.method === "HEAD" && response.problem === undefined) {
      const get = await send({ ...request, method: "GET" });
      differences.push(...compareToGet(response, get));
    }
  } catch (error) {
    const actual = `none: ${(error as Error).message}`;
    differences.push({ location: "response", expected: "a response", actual });
  }
  const requests = before ? [before, request] : [request];
  return { requests, response, differences };
}

/** Sends a request and copies of its rival at the same time, several times. */
async function sendAtOnce(
  send: Client["send"],
  request: CaseRequest,
  rival: CaseRequest,
): Promise<readonly CaseResponse[]> {
  const responses: CaseResponse[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Most requests are rivals, so that a server that confuses users fails.
    const requests = [rival, request, rival, rival];
    const all = await Promise.all(requests.map((each) => send(each)));
    responses.push(all[requests.indexOf(request)]!);
  }
  return responses;
}

/** Compares a response with the requirements of the test case. */
function check(
  { expected }: Pick<Case, "expected">,
  response: CaseResponse,
  first: CaseResponse,
): readonly Difference[] {
  const differences = compare(expected, response);
  if (differences.length > 0 || response.status < 400 || first.status === 200) {
    return differences;
  }
  // A server that rejects every request does not pass.
  const location = "status of a valid request";
  return [{ location, expected: "200", actual: `${first.status}` }];
}

/** Checks the responses that a rule applies to. Returns nothing if there are none. */
export function applyRule(
  rule: Rule,
  exchanges: readonly Exchange[],
): Outcome | undefined {
  const checked = exchanges.flatMap(({ caseId, request, response }) => {
    const expected = rule.expect(request, response);
    if (expected === undefined) return [];
    const differences = compare(expected, response)
      .map((difference) => ({ ...difference, caseId }));
    return [{ requests: [request], response, differences }];
  });
  const differences = checked.flatMap(({ differences }) => differences);
  const shown = checked.find(({ differences }) => differences.length > 0) ??
    checked[0];
  return shown && { ...shown, differences };
}
