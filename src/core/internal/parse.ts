import * as v from "valibot";
import { quote } from "./quote.ts";
import { type Problem, toProblems } from "./schema.ts";

/** Returns the error for a problem with a value that a caller passed as `name`. */
export function toTypeError(
  name: string,
  { path, message }: Problem,
): TypeError {
  const place = path.map((key) =>
    `[${typeof key === "number" ? key : quote(key)}]`
  );
  return new TypeError(`${name}${place.join("")}: ${message}`);
}

/**
 * Validates a value that a caller passed.
 *
 * @param name The name of the value, for messages.
 * @throws {TypeError} If the value is invalid.
 */
export function parse<T>(
  schema: v.GenericSchema<T>,
  value: unknown,
  name: string,
): T {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw toTypeError(name, toProblems(result.issues)[0]!);
}
