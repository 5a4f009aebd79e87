import { quote } from "../internal/quote.ts";

/** Creates the error for an invalid value. */
export function invalid(
  name: string,
  expected: string,
  value: string,
): RangeError {
  return new RangeError(`${name} must be ${expected}, got ${quote(value)}`);
}

/** Parses a number of seconds and converts it to milliseconds. */
export function parseSeconds(text: string, name: string): number {
  if (/^[0-9]{1,5}(?:\.[0-9]{1,3})?$/.test(text)) {
    return Math.round(Number(text) * 1_000); // 1.001 * 1000 is 1000.9999999999999
  }
  throw invalid(name, "a number of seconds, such as 10 or 0.5", text);
}
