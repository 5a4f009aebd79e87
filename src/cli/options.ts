import { parseArgs } from "node:util";
import { levenshteinDistance } from "@std/text/levenshtein-distance";
import { quote } from "../domain/quote.ts";

/** The error for an invalid command line or environment variable. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The environment variables. */
export type Env = Readonly<Record<string, string | undefined>>;

/** A command-line option. */
export interface Option<T> {
  /** The placeholder for the value in the help; absent if there is no value. */
  readonly value?: string;
  /** The environment variable that the option overrides. */
  readonly env?: string;
  /** The default value, as a user would write it. */
  readonly default?: string;
  readonly help: string;
  /**
   * Parses the values of the option.
   *
   * @param name The name of the option or environment variable, for messages.
   * @throws {RangeError} If a value is invalid.
   */
  read(values: readonly string[], name: string): T;
}

/** Creates a `read` function that parses the last value of an option. */
export function last<T>(
  parse: (value: string, name: string) => T,
): (values: readonly string[], name: string) => T | undefined {
  return (values, name) => {
    const value = values.at(-1);
    return value === undefined ? undefined : parse(value, name);
  };
}

/** A `read` function that returns whether an option is present. */
export function isPresent(values: readonly string[]): boolean {
  return values.length > 0;
}

/** Options by name. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** The parsed values of the options. */
export type Settings<T extends Options> = {
  readonly [K in keyof T]: ReturnType<T[K]["read"]>;
};

/** A parsed command line. */
export interface CommandLine<T extends Options> {
  readonly settings: Settings<T>;
  /** The options that are set on the command line or in the environment. */
  readonly named: ReadonlySet<keyof T>;
  /** The arguments that are not options. */
  readonly operands: readonly string[];
  readonly env: Env;
}

/**
 * Parses options. Each value comes from the command line, the environment, or
 * the default, in this order. An empty environment variable counts as unset.
 *
 * @param operands The names of the operands; optional ones are in brackets.
 * @throws {UsageError} If an argument is unknown, missing, or invalid.
 */
export function parseOptions<T extends Options>(
  options: T,
  args: readonly string[],
  env: Env,
  operands: readonly string[] = [],
): CommandLine<T> {
  const { given, rest } = readArguments(options, args);
  if (rest.length > operands.length) {
    throw new UsageError(
      `unexpected argument ${quote(rest[operands.length]!)}`,
    );
  }
  const missing = operands[rest.length];
  if (missing !== undefined && !missing.startsWith("[")) {
    throw new UsageError(`missing argument ${missing}`);
  }
  const named = new Set<keyof T>();
  const settings = Object.entries(options).map(([key, option]) => {
    const { name, values } = find(key, option, given, env);
    if (name !== undefined) named.add(key);
    try {
      return [key, option.read(values, name ?? key)];
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new UsageError(error.message);
    }
  });
  return { settings: Object.fromEntries(settings), named, operands: rest, env };
}

/** Finds the values of an option, and the flag or variable that sets them. */
function find(
  key: string,
  option: Option<unknown>,
  given: ReadonlyMap<string, readonly string[]>,
  env: Env,
): { readonly name?: string; readonly values: readonly string[] } {
  const values = given.get(key);
  if (values) return { name: `--${key}`, values };
  const variable = option.env === undefined ? "" : env[option.env] ?? "";
  if (variable !== "") return { name: option.env!, values: [variable] };
  return { values: option.default === undefined ? [] : [option.default] };
}

/** Splits a command line into the values of options and other arguments. */
function readArguments(
  options: Options,
  args: readonly string[],
): { given: Map<string, string[]>; rest: string[] } {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value }]) => [
        name,
        { type: value === undefined ? "boolean" : "string" } as const,
      ]),
    ),
    strict: false,
    tokens: true,
  });
  const given = new Map<string, string[]>();
  const rest: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") rest.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!option || !rawName.startsWith("--")) {
      const shown = rawName.startsWith("--") ? rawName : args[token.index]!;
      throw new UsageError(
        `unknown option ${quote(shown)}${
          suggest(shown, Object.keys(options).map((each) => `--${each}`))
        }`,
      );
    }
    if (option.value === undefined && inlineValue) {
      throw new UsageError(`${rawName} takes no value`);
    }
    // Without `=`, a value cannot start with a hyphen unless it is a number.
    const isOption = !inlineValue && /^-[^\d]/.test(value ?? "");
    if (option.value !== undefined && (value === undefined || isOption)) {
      throw new UsageError(`${rawName} requires a value: ${option.value}`);
    }
    const values = given.get(name) ?? [];
    values.push(value ?? "");
    given.set(name, values);
  }
  return { given, rest };
}

/** Returns a hint to append to a message about an unknown word. */
export function suggest(word: string, known: readonly string[]): string {
  const [closest] = known
    .map((each) => ({ each, distance: levenshteinDistance(word, each) }))
    .filter(({ distance }) => distance <= 2)
    .sort((a, b) => a.distance - b.distance);
  return closest
    ? `; did you mean ${quote(closest.each)}?`
    : "; run `plant-store --help`";
}
