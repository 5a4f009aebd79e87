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

/** How many times requests that are sent at the same time are repeated. */
const ROUNDS = 3;

/** What a test case sent, received, and found. */
export interface Outcome {
  readonly request: CaseRequest;
  readonly response?: CaseResponse | undefined;
  readonly differences: readonly Difference[];
}

export async function runCase(
  { expected, rival, ...test }: Omit<Case, keyof CaseInfo | "kind">,
  send: Client["send"],
): Promise<Outcome> {
  let { request } = test;
  let response: CaseResponse | undefined;
  const differences: Difference[] = [];
  try {
    const usesEtag = JSON.stringify(request).includes("ETAG");
    let etag: string | null = null;
    if (usesEtag) {
      const { headers } = await send(test.previousRequest ?? LIST_ALL_REQUEST);
      etag = headers.get("etag");
      request = fillEtag(request, etag ?? '""');
    }
    const responses = rival
      ? await sendAtOnce(send, request, rival)
      : [await send(request)];
    response = responses.find((each) => compare(expected, each).length > 0) ??
      responses[0]!;
    differences.push(...compare(expected, response));
    if (usesEtag && !etag) {
      const expected = "an ETag in the previous response";
      differences.push({ location: "etag", expected, actual: "none" });
    }
    if (request.method === "HEAD") {
      const get = await send({ ...request, method: "GET" });
      differences.push(...compareToGet(response, get));
    }
  } catch (error) {
    const actual = `none: ${(error as Error).message}`;
    differences.push({ location: "response", expected: "a response", actual });
  }
  return { request, response, differences };
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

/**
 * Checks the responses that a rule applies to. Returns nothing if there are none.
 *
 * @param outcomes The outcomes of test cases by their IDs.
 */
export function applyRule(
  rule: Rule,
  outcomes: ReadonlyMap<string, Outcome>,
): Outcome | undefined {
  const checked = Array.from(outcomes, ([caseId, { request, response }]) => {
    const expected = response && rule.expect(request, response);
    if (expected === undefined) return [];
    const differences = compare(expected, response!)
      .map((difference) => ({ ...difference, caseId }));
    return [{ request, response, differences }];
  }).flat();
  const differences = checked.flatMap(({ differences }) => differences);
  const shown = checked.find(({ differences }) => differences.length > 0) ??
    checked[0];
  return shown && { ...shown, differences };
}
