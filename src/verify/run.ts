import type { Case, CaseRequest, CaseResponse, Rule } from "./cases.ts";
import { type Client, fillEtag } from "./client.ts";
import {
  compare,
  compareToGet,
  type Difference,
  showStatus,
} from "./compare.ts";

/** The request for all plants, which every implementation accepts. */
export const LIST_ALL_REQUEST: CaseRequest = {
  headers: [["Authorization", "Bearer test-all"]],
};

/** The number of copies of a request that are sent at the same time. */
const COPIES = 10;

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
  readonly response?: CaseResponse | string;
  readonly differences: readonly Difference[];
}

/** Sends the first request. Throws if it does not reach this API. */
export async function startRun(client: Client): Promise<Run> {
  const start = performance.now();
  const first = await client.send(LIST_ALL_REQUEST);
  if (typeof first === "string") throw new Error(`no response: ${first}`);
  const isJson = /^\s*[[{]/.test(first.body);
  if (isJson && first.status !== 404) {
    return { client, start, first, received: [] };
  }
  const type = first.headers.get("content-type") ?? "no Content-Type";
  throw new Error(
    `GET /plants returned ${
      showStatus(first)
    } and ${type}; the URL must lead to this API, with its base path`,
  );
}

/** Runs a test case unless it cannot be sent. */
export async function runCase(
  test: Case,
  { client, start, first, received }: Run,
): Promise<Outcome | undefined> {
  if (!client.canSend(test)) return undefined;
  const { id, request, previousRequest, rival, waitSeconds } = test;
  const usesEtag = request.headers?.some(([, value]) => value.includes("ETAG"));
  let previous: CaseResponse | string = first;
  if (waitSeconds !== undefined) {
    const rest = start + waitSeconds * 1_000 - performance.now();
    await new Promise((resolve) => setTimeout(resolve, rest));
  } else if (previousRequest || usesEtag) {
    previous = await client.send(previousRequest ?? LIST_ALL_REQUEST);
  }
  const etag = typeof previous === "object" && previous.headers.get("etag");
  const sent = usesEtag ? fillEtag(request, etag || '""') : request;
  const responses = rival
    ? await sendAtOnce(client, sent, rival)
    : [await client.send(sent)];
  const checked = responses.map((response) => (
    { response, differences: check(test, response, first) }
  ));
  const { response, differences } =
    checked.find(({ differences }) => differences.length > 0) ?? checked[0]!;
  if (usesEtag && !etag) {
    const expected = "one in the previous response";
    differences.push({ location: "etag", expected, actual: "none" });
  }
  if (typeof response === "object") {
    if (!test.mayBypassService) received.push([id, sent, response]);
    if (sent.method === "HEAD") {
      const get = await client.send({ ...sent, method: "GET" });
      differences.push(...compareToGet(response, get));
    }
  }
  const isFollowing = previousRequest?.connection !== undefined;
  const requests = isFollowing ? [previousRequest, sent] : [sent];
  return { requests, response, differences };
}

/** Sends copies of a request and of its rival at the same time. */
async function sendAtOnce(
  client: Client,
  request: CaseRequest,
  rival: CaseRequest,
): Promise<readonly (CaseResponse | string)[]> {
  // Most requests are rivals, so that the last user is usually another one.
  const all = Array(COPIES).fill([request, rival, rival, rival]).flat()
    .map((each: CaseRequest) => ({ ...each, connection: "pool" } as const));
  const responses = await Promise.all(all.map(client.send));
  return responses.filter((_, index) => index % 4 === 0);
}

/** Compares a response with the requirements of the test case. */
function check(
  { expected }: Case,
  response: CaseResponse | string,
  first: CaseResponse,
): Difference[] {
  if (typeof response === "string") {
    const actual = `none: ${response}`;
    return [{ location: "response", expected: "one", actual }];
  }
  const differences = [...compare(expected, response)];
  // A server that rejects every request does not pass.
  if (
    response.status >= 400 && differences.length === 0 && first.status !== 200
  ) {
    const location = "status of a valid request";
    differences.push({ location, expected: "200", actual: `${first.status}` });
  }
  return differences;
}

/** Checks the responses that a rule applies to. Skips it if there are none. */
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
