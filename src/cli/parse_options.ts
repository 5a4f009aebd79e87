import { parseArgs } from "node:util";
import { quote } from "../core/internal/quote.ts";
import { suggest } from "../shared/suggest.ts";

/** Quotes an argument for messages. A URL can contain a password. */
export function quoteWord(word: string): string {
  return word.includes("://") ? "(a URL)" : quote(word);
}

/** The error for an invalid command line or environment variable. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export type Env = Readonly<Record<string, string | undefined>>;

export interface Option {
  /**
   * The placeholder for the value in the help; absent if the option is a flag. Without
   * `parse`, it lists the words that are valid, such as `text|json`.
   */
  readonly value?: string;
  /** The environment variable that the option overrides. */
  readonly env?: string;
  /** The default value, as a user would write it. */
  readonly default?: string;
  readonly help: string;
  /**
   * Parses a value. By default, the value is the text, or one of the words.
   *
   * @param name The name of the option or environment variable, for messages.
   * @throws {RangeError} If the value is invalid.
   */
  parse?(value: string, name: string): unknown;
}

export type Options = Readonly<Record<string, Option>>;

/** The words in a placeholder, such as `text|json`. */
type Words<T> = T extends `${infer Word}|${infer Rest}` ? Word | Words<Rest>
  : T;

/** The parsed value of an option that is set. */
type Value<T extends Option> = T extends
  { parse(value: string, name: string): infer V } ? V
  : T["value"] extends `${string}|${string}` ? Words<T["value"]>
  : string;

/** The parsed values of the options: whether a flag is present, or the value of other options. */
type Settings<T extends Options> = {
  readonly [K in keyof T]: T[K] extends { readonly value: string }
    ? T[K] extends { readonly default: string } ? Value<T[K]>
    : Value<T[K]> | undefined
    : boolean;
};

export interface CommandLine<T extends Options> {
  readonly settings: Settings<T>;
  /** The flag or variable that sets each option, such as `--port` or `PORT`. */
  readonly sources: ReadonlyMap<string, string>;
  /** The arguments that are not options. */
  readonly positionals: readonly string[];
  readonly env: Env;
}

/**
 * Parses options. Each value comes from the command line, the environment, or
 * the default, in this order. An empty environment variable counts as unset.
 *
 * @param command The options of the command, and its argument, if it has one.
 * @throws {UsageError} If an argument is unknown or invalid.
 */
export function parseOptions<T extends Options>(
  command: { readonly options: T; readonly positional?: string },
  args: readonly string[],
  env: Env,
): CommandLine<T> {
  const { options, positional } = command;
  const { given, rest } = readArguments(options, args);
  const unexpected = rest[positional === undefined ? 0 : 1];
  if (unexpected !== undefined && !positional?.includes("...")) {
    throw new UsageError(`unexpected argument ${quoteWord(unexpected)}`);
  }
  const sources = new Map<string, string>();
  const settings = Object.entries(options).map(([key, option]) => {
    const variable = option.env && env[option.env];
    const value = given[key] ?? (variable || undefined);
    const source = given[key] === undefined ? option.env : `--${key}`;
    if (value !== undefined) sources.set(key, source!);
    const text = value ?? option.default;
    return [key, parseValue(option, text, key, source ?? key)];
  });
  const parsed = Object.fromEntries(settings);
  return { settings: parsed, sources, positionals: rest, env };
}

/** The last value of each option on the command line. */
type Given = Readonly<Record<string, string | undefined>>;

function parseValue(
  { value, env: variable, parse }: Option,
  text: string | undefined,
  key: string,
  name: string,
): unknown {
  if (value === undefined) return text !== undefined;
  try {
    if (text === undefined) return undefined;
    if (parse) return parse(text, name);
    return value.includes("|") ? parseWord(text, name, value.split("|")) : text;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const hint = name === variable ? `; ${howToChange(key, name)}` : "";
    throw new UsageError(`${error.message}${hint}`);
  }
}

/** Returns how to change a value. A variable can be that of another program. */
export function howToChange(key: string, source = ""): string {
  const hint = `choose another with --${key}`;
  return /^[A-Z]/.test(source) ? `unset ${source}, or ${hint}` : hint;
}

/** Throws an error with a prefix that says which option it is about. */
export function throwWithPrefix(prefix: string, error: Error): never {
  const Kind = error instanceof RangeError ? UsageError : Error;
  throw new Kind(`${prefix}: ${error.message}`);
}

export function invalid(
  name: string,
  expected: string,
  value: string,
): RangeError {
  return new RangeError(`${name} must be ${expected}, got ${quote(value)}`);
}

export function parseWord<const T extends string>(
  text: string,
  name: string,
  words: readonly T[],
): T {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  const list = new Intl.ListFormat("en", { type: "disjunction" });
  throw invalid(name, list.format(words), text);
}

/** Parses a number of seconds and converts it to milliseconds. */
export function parseSeconds(text: string, name: string): number {
  if (/^[0-9]{1,5}(?:\.[0-9]{1,3})?$/.test(text)) {
    return Math.round(Number(text) * 1_000); // 1.001 * 1000 is 1000.9999999999999
  }
  throw invalid(name, "a number of seconds, such as 10 or 0.5", text);
}

/** Splits a command line into the values of options and other arguments. */
function readArguments(
  options: Options,
  args: readonly string[],
): { readonly given: Given; readonly rest: readonly string[] } {
  const types = Object.entries(options).map(([name, { value }]) => {
    const type = value === undefined ? "boolean" as const : "string" as const;
    return [name, { type }];
  });
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(types),
    strict: false, // its messages contain no suggestions
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!option || !rawName.startsWith("--")) {
      const shown = rawName.startsWith("--") ? rawName : args[token.index]!;
      const known = Object.keys(options).map((each) => `--${each}`);
      const hint = suggest(shown, known, "to list the options, add --help");
      // The rest can be a secret, as in `-H"Authorization: ..."`.
      const start = /^-[\w-]*/.exec(shown)![0];
      throw new UsageError(`unknown option ${quote(start)}${hint}`);
    }
    if (option.value === undefined && inlineValue) {
      throw new UsageError(`${rawName} does not accept a value`);
    }
    // Without `=`, a value cannot start with a hyphen unless it is a number.
    const isOption = !inlineValue && /^-[^\d]/.test(value ?? "");
    if (option.value !== undefined && (value === undefined || isOption)) {
      throw new UsageError(`${rawName} requires a value: ${option.value}`);
    }
  }
  return { given: values as Given, rest: positionals };
}
