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

/**
 * Returns the entries of an object that a caller passed.
 *
 * @throws {TypeError} If it is another value, such as an array or a map.
 */
export function toUsers<T>(users: Readonly<Record<string, T>>): [string, T][] {
  if (typeof users !== "object" || users === null || Symbol.iterator in users) {
    throw new TypeError("users must be an object of users keyed by name");
  }
  return Object.entries(users);
}
