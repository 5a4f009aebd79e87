import { quote } from "../domain/quote.ts";

/**
 * How long to delay responses: a number of milliseconds, or a range from which
 * each delay is chosen at random.
 */
export type Delay = number | DelayRange;

/** A range of delays, in milliseconds. */
export interface DelayRange {
  /** The minimum delay, at least 0. */
  readonly min: number;
  /** The maximum delay, at most 60000. */
  readonly max: number;
  /**
   * Returns a number from 0 (inclusive) to 1 (exclusive). Pass a seeded generator
   * to get reproducible delays. Default: `Math.random`.
   */
  readonly random?: () => number;
}

/** Delays a response. Resolves early if the signal is aborted. */
export type Wait = (signal: AbortSignal | undefined) => Promise<void>;

/** The maximum delay, in milliseconds. */
const MAX = 60_000;

/**
 * Creates a function that waits before each response.
 *
 * @throws {RangeError} If the delay is invalid.
 */
export function createWait(delay: Delay): Wait {
  const isNumber = typeof delay === "number";
  const range: DelayRange = isNumber ? { min: delay, max: delay } : delay;
  const { min, max, random = Math.random } = range;
  if (![min, max].every(isMilliseconds) || min > max) {
    throw invalid("delay", isNumber ? `${delay}` : `${min}-${max}`);
  }
  return (signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      function stop(): void {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
        resolve();
      }
      const duration = min + Math.floor(random() * (max - min + 1));
      const timer = setTimeout(stop, duration);
      signal?.addEventListener("abort", stop);
    });
}

/**
 * Parses a delay from the command line.
 *
 * @param text The delay, such as `500` or `200-800`.
 * @param name The name of the option, for messages.
 * @throws {RangeError} If the delay is invalid.
 */
export function parseDelay(text: string, name: string): DelayRange {
  const numbers = /^([0-9]{1,5})(?:-([0-9]{1,5}))?$/.exec(text);
  const min = Number(numbers?.[1]), max = Number(numbers?.[2] ?? min);
  if (isMilliseconds(max) && min <= max) return { min, max };
  throw invalid(name, text);
}

function isMilliseconds(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= MAX;
}

function invalid(name: string, value: string): RangeError {
  return new RangeError(
    `${name} must be from 0 to ${MAX} milliseconds, such as 500 or 200-800, got ${
      quote(value)
    }`,
  );
}
