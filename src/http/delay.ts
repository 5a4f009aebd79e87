import {
  chooseDelay,
  type Delay,
  type DelayRange,
  parseDelay,
} from "../domain/delay.ts";
import { quote } from "../domain/quote.ts";
import type { Get } from "./request.ts";

/** The maximum delay, in milliseconds. */
const MAX_DELAY = 60_000;

/**
 * Validates the `delay` option.
 *
 * @param name The name of the option, for messages.
 * @throws {RangeError} If the delay is invalid.
 */
export function resolveDelay(delay: Delay, name = "delay"): DelayRange {
  const range = parseDelay(delay, MAX_DELAY);
  if (range) return range;
  const got = typeof delay === "number" || typeof delay === "string"
    ? quote(`${delay}`)
    : typeof delay;
  throw new RangeError(
    `${name} must be from 0 to ${MAX_DELAY} milliseconds, such as 500 or 200-800, got ${got}`,
  );
}

/** Returns a function that responds as `get` does, after a delay. */
export function withDelay(get: Get, delay: Delay): Get {
  const range = resolveDelay(delay);
  return async (request, query) => {
    await wait(chooseDelay(range), request.signal);
    return await get(request, query);
  };
}

/** Resolves after a time in milliseconds, or when the signal is aborted. */
function wait(duration: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    function stop(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      resolve();
    }
    const timer = setTimeout(stop, duration);
    signal?.addEventListener("abort", stop);
  });
}
