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
 * Validates an object of users that a caller passed.
 *
 * @param schema The schema for a user.
 * @returns The users by name.
 * @throws {TypeError} If it is another value, such as an array or a map, or a user
 * is invalid.
 */
export function parseUsers<T>(
  schema: v.GenericSchema<T>,
  users: Readonly<Record<string, T>>,
): Map<string, T> {
  if (typeof users !== "object" || users === null || Symbol.iterator in users) {
    throw new TypeError("users must be an object of users keyed by name");
  }
  return new Map(
    Object.entries(users).map(([name, user]) => [
      name,
      parse(schema, user, `users[${quote(name)}]`),
    ]),
  );
}
