import { quote } from "../../domain/quote.ts";

/** The maximum delay of a timer, in milliseconds. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/**
 * Checks that an option is an integer from `min` to `max`.
 *
 * @param name The name of the option, for messages.
 * @throws {RangeError} If it is not.
 */
export function checkInteger(
  value: unknown,
  name: string,
  min: number,
  max: number,
): void {
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) {
    return;
  }
  const shown = typeof value === "string" ? quote(value) : String(value);
  throw new RangeError(
    `${name} must be an integer from ${min} to ${max}, got ${shown}`,
  );
}
