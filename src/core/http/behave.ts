import {
  type Behavior,
  BehaviorSchema,
  type Delay,
  type FailureStatus,
  parseDelay,
  parseFail,
} from "../domain/behavior.ts";
import { parse } from "../internal/parse.ts";
import { createError, type ServiceResponse } from "./response.ts";
import { unavailable } from "./fixed_responses.ts";

const FAILURES: Readonly<Record<FailureStatus, ServiceResponse>> = {
  429: createError(429, "Too many requests; try again in a second", [
    "Retry-After",
    "1",
  ]),
  500: createError(500, "Cannot list the plants; try again later"),
  503: unavailable,
};

/** The maximum number of tokens whose requests are counted. */
const MAX_TOKENS = 1_000;

/**
 * Returns a function that delays a request with a token, unless its client disconnects.
 * It returns the response if the request fails.
 */
export function createBehave() {
  /**
   * The number of requests with each token, the least recently used first. No other
   * state makes a response depend on previous requests.
   */
  const counts = new Map<string, number>();

  /** Counts a request with a token, and returns whether it fails. */
  function countRequest(fail: string, token: string): boolean {
    const { count, of, isRandom } = parseFail(fail);
    if (isRandom) return Math.random() < count / of;
    const position = (counts.get(token) ?? 0) % of;
    counts.delete(token); // so that the token moves to the end of the map
    counts.set(token, position + 1);
    if (counts.size > MAX_TOKENS) counts.delete(counts.keys().next().value!);
    return position < count;
  }

  return async (
    behavior: Behavior,
    token: string,
    signal: AbortSignal | undefined,
  ): Promise<ServiceResponse | undefined> => {
    const valid = parse(BehaviorSchema, behavior, "behavior"); // a custom store can return any value
    const { delay, fail, status = 503 } = valid;
    // Count before the delay, so that requests fail in the order in which they arrive.
    const isFailing = fail !== undefined && countRequest(fail, token);
    if (delay !== undefined) await wait(delay, signal);
    return isFailing ? FAILURES[status] : undefined;
  };
}

function wait(delay: Delay, signal: AbortSignal | undefined): Promise<void> {
  const { min, max } = parseDelay(delay);
  const duration = min + Math.floor(Math.random() * (max - min + 1));
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(); // the client disconnected while the store authenticated
    const timer = setTimeout(end, duration);
    signal?.addEventListener("abort", end);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    }
  });
}
