import { quote } from "../core/internal/quote.ts";

/**
 * Checks that an option is an integer from 0 to `max`.
 *
 * @param name The name of the option, for messages.
 * @param max The maximum. Default: the maximum delay of a timer, in milliseconds.
 * @throws {RangeError} If it is not.
 */
export function checkInteger(
  value: unknown,
  name: string,
  max: number = 2 ** 31 - 1,
): void {
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max) {
    return;
  }
  const shown = typeof value === "string" ? quote(value) : String(value);
  throw new RangeError(
    `${name} must be an integer from 0 to ${max}, got ${shown}`,
  );
}
