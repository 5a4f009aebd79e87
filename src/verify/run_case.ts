import type { Case, CaseRequest, CaseResponse, Rule } from "./case.ts";
import { ALL, toRequest } from "./cases/group.ts";
import { type Client, fillEtag } from "./client.ts";
import { compare, compareToGet, type Difference } from "./compare.ts";
import { BODY_READ } from "./send_to_url.ts";

/** The request for all plants, which every implementation accepts. */
export const LIST_ALL_REQUEST: CaseRequest = toRequest("GET /plants", ALL);

/** How many times requests that are sent at the same time are repeated. */
const ROUNDS = 10;

/** A run against an implementation. */
export interface Run {
  readonly client: Client;
  /** The time of the first request, which is for the list of all plants. */
  readonly start: number;
  /** The response to the first request. */
  readonly first: CaseResponse;
  /** The responses for the rules, with the IDs of their test cases. */
  readonly received: (readonly [string, CaseRequest, CaseResponse])[];
}

/** What a test case sent, received, and found. */
export interface Outcome {
  readonly requests: readonly CaseRequest[];
  readonly response?: CaseResponse | undefined;
  readonly differences: readonly Difference[];
}

/** Runs a test case. Returns nothing if it cannot be sent. */
export async function runCase(
  test: Case,
  { client, start, first, received }: Run,
): Promise<Outcome | undefined> {
  if (!client.canSend(test)) return undefined;
  const { id, previousRequest, rival, waitSeconds } = test;
  let { request } = test;
  let response: CaseResponse | undefined;
  const differences: Difference[] = [];
  try {
    const usesEtag = JSON.stringify(request).includes("ETAG");
    let previous = first;
    if (waitSeconds !== undefined) {
      const rest = start + waitSeconds * 1_000 - performance.now();
      await new Promise((resolve) => setTimeout(resolve, rest));
    } else if (previousRequest || usesEtag) {
      previous = await client.send(previousRequest ?? LIST_ALL_REQUEST);
    }
    const etag = previous.headers.get("etag");
    if (usesEtag) request = fillEtag(request, etag ?? '""');
    const responses = rival
      ? await sendAtOnce(client, request, rival)
      : [await client.send(request)];
    const isWrong = (each: CaseResponse) => check(test, each, first).length > 0;
    response = responses.find(isWrong) ?? responses[0]!;
    differences.push(...check(test, response, first));
    if (usesEtag && !etag) {
      const expected = "an ETag in the previous response";
      differences.push({ location: "etag", expected, actual: "none" });
    }
    const isParsed = response.problem === undefined;
    // HTTP libraries do not check credentials.
    const isFromService = !test.mayBypassService || response.status === 401;
    if (isParsed && isFromService) received.push([id, request, response]);
    if (isParsed && request.method === "HEAD") {
      const get = await client.send({ ...request, method: "GET" });
      differences.push(...compareToGet(response, get));
    }
  } catch (error) {
    const { message } = error as Error;
    const expected = "a response";
    const actual = message === BODY_READ ? message : `none: ${message}`;
    differences.push({ location: "response", expected, actual });
  }
  const isFollowing = previousRequest?.connection !== undefined;
  const requests = isFollowing ? [previousRequest, request] : [request];
  return { requests, response, differences };
}

/** Sends a request and copies of its rival at the same time, several times. */
async function sendAtOnce(
  client: Client,
  request: CaseRequest,
  rival: CaseRequest,
): Promise<readonly CaseResponse[]> {
  const responses: CaseResponse[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Most requests are rivals, so that a server that confuses users fails.
    const requests = [rival, request, rival, rival];
    const all = await Promise.all(requests.map((each) => client.send(each)));
    responses.push(all[requests.indexOf(request)]!);
  }
  return responses;
}

/** Compares a response with the requirements of the test case. */
function check(
  { expected }: Case,
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
export function applyRule(rule: Rule, { received }: Run): Outcome | undefined {
  const checked = received.flatMap(([caseId, request, response]) => {
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
