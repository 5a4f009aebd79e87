import { quote } from "./quote.ts";

/** The type of an option; `unknown` if it is validated elsewhere. */
type Type = "string" | "boolean" | "function" | "object" | "unknown";

/** The type of each option in `T`, with a question mark if it is optional. */
export type OptionTypes<T> = {
  readonly [Name in keyof T]-?: Record<never, never> extends Pick<T, Name>
    ? `${Type}?`
    : Type;
};

/**
 * Reads each option once, even if it is a getter or inherited. The returned object
 * has only the options that are set. valibot would quote values in messages, and
 * options can contain secrets.
 *
 * @param options The options that a caller passed.
 * @param types The type of each option.
 * @param what What the options are, for messages, which contain no values.
 * @throws {TypeError} If an option is unknown, missing, or of the wrong type.
 */
export function readOptions<T extends object>(
  options: T,
  types: OptionTypes<T>,
  what = "options",
): T {
  if (typeOf(options) !== "object") {
    throw new TypeError(`${what} must be an object, got ${typeOf(options)}`);
  }
  const known = Object.keys(types);
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    throw new TypeError(
      `${what}: unknown property ${quote(name)}; use ${known.join(", ")}`,
    );
  }
  const read = Object.entries<string>(types).flatMap(([name, type]) => {
    const value: unknown = options[name as keyof T];
    const [expected] = type.split("?");
    if (value === undefined && type !== expected) return [];
    if (expected !== "unknown" && typeOf(value) !== expected) {
      throw new TypeError(
        `${what}: ${name} must be of type ${expected}, got ${typeOf(value)}`,
      );
    }
    return [[name, value]];
  });
  return Object.fromEntries(read) as T;
}

/** Returns the type of a value, for messages. */
export function typeOf(value: unknown): string {
  return value === null ? "null" : typeof value;
}
