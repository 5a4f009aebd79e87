import * as v from "valibot";
import { quote } from "../../domain/quote.ts";
import { toProblems } from "./schema.ts";

/**
 * Validates a value that a caller passed.
 *
 * @param at The location of the value, for messages.
 * @throws {TypeError} If the value is invalid.
 */
export function parse<T>(
  schema: v.GenericSchema<T>,
  value: unknown,
  at: string,
): T {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const { path, message } = toProblems(result.issues)[0]!;
  const place = path.map((key) =>
    `[${typeof key === "number" ? key : quote(key)}]`
  );
  throw new TypeError(`${at}${place.join("")}: ${message}`);
}
