import { resolveCors } from "../answer/cors.ts";
import { resolveBasePath } from "../answer/path.ts";

/** Thrown when the command line or a variable can't be used; the message names it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Variables of the environment, as far as they are asked for. */
export type Env = Readonly<Record<string, string | undefined>>;

/** An option of the command line: one row of `--help`. */
interface Option<T> {
  /** What stands for the value in `--help`; none for a switch. */
  readonly value?: string;
  /** The variable that counts where the option is not given. */
  readonly env?: string;
  /** The value where neither is given, as it would be written. */
  readonly default?: string;
  readonly help: string;
  /** Reads the value; a RangeError tells what is wrong with it. */
  parse(value: string): T;
}

/** The options of `serve`: parsing, `--help` and the README's table come from here. */
export const SERVE_OPTIONS = {
  plants: {
    value: "FILE",
    env: "PLANTS_FILE",
    default: "data/plants.json",
    help: "the plants, a JSON array",
    parse: parseFile,
  } as Option<string>,
  tokens: {
    value: "FILE",
    env: "TOKENS_FILE",
    default: "data/tokens.json",
    help: "the users and the digests of their tokens",
    parse: parseFile,
  } as Option<string>,
  host: {
    value: "HOST",
    env: "HOST",
    default: "127.0.0.1",
    help: "the name or address to listen on",
    parse: parseHost,
  } as Option<string>,
  port: {
    value: "PORT",
    env: "PORT",
    default: "8000",
    help: "the port to listen on; 0 takes a free one",
    parse: parsePort,
  } as Option<number>,
  "base-path": {
    value: "PATH",
    env: "BASE_PATH",
    help: "what every path starts with, like /api",
    parse: resolveBasePath,
  } as Option<string>,
  cors: {
    value: "ORIGIN[,ORIGIN]",
    env: "CORS",
    default: "*",
    help: 'the origins that browsers may ask from, "*" or "off"',
    parse: parseCors,
  } as Option<string>,
  "public-url": {
    value: "URL",
    env: "PUBLIC_URL",
    help:
      "the address by which clients reach it, where a proxy stands in front",
    parse: parsePublicUrl,
  } as Option<string>,
  log: {
    value: "off|errors|requests",
    env: "LOG",
    default: "errors",
    help: "what is written to standard error",
    parse: parseLog,
  } as Option<LogLevel>,
};

/** What is written to standard error. */
export type LogLevel = "off" | "errors" | "requests";

/** Options by name, as their `parse` gives them; undefined where there is no value. */
export type Settings<T> = {
  readonly [K in keyof T]: T[K] extends Option<infer V> ? V | undefined
    : never;
};

/**
 * Reads options from the command line, then from the environment, then from
 * their defaults. An empty variable counts as unset.
 *
 * @throws {UsageError} When one is unknown or can't be used.
 */
export function parseOptions<T extends Record<string, Option<unknown>>>(
  options: T,
  args: readonly string[],
  env: Env,
): Settings<T> {
  const given = readArguments(options, args);
  const settings = Object.entries(options).map(([name, option]) => {
    const fromEnv = option.env === undefined ? "" : env[option.env] ?? "";
    const [source, value] = given.has(name)
      ? [`--${name}`, given.get(name)]
      : fromEnv !== ""
      ? [option.env, fromEnv]
      : [name, option.default];
    if (value === undefined) return [name, undefined];
    try {
      return [name, option.parse(value)];
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new UsageError(`${source}: ${error.message}`);
    }
  });
  return Object.fromEntries(settings);
}

/** The values on the command line by option; the last one counts. */
function readArguments(
  options: Readonly<Record<string, Option<unknown>>>,
  args: readonly string[],
): Map<string, string> {
  const given = new Map<string, string>();
  const rest = args.values();
  for (const arg of rest) {
    const [, name = "", inline] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (!Object.hasOwn(options, name)) {
      const kind = arg.startsWith("-") ? "option" : "argument";
      const shown = arg.startsWith("--") ? `--${name}` : arg;
      throw new UsageError(`unknown ${kind} ${JSON.stringify(shown)}`);
    }
    const value = inline ?? rest.next().value;
    if (value === undefined || (inline === undefined && /^-./.test(value))) {
      throw new UsageError(`--${name} needs a value: ${options[name]!.value}`);
    }
    given.set(name, value);
  }
  return given;
}

/** The options as `--help` shows them. */
export function describeOptions(
  options: Readonly<Record<string, Option<unknown>>>,
): string {
  const rows = Object.entries(options).map(([name, option]) => [
    `--${name} ${option.value}`,
    option.env ?? "",
    option.default === undefined
      ? option.help
      : `${option.help} (${option.default})`,
  ]);
  const width = (column: number) =>
    Math.max(...rows.map((row) => row[column]!.length));
  return rows.map(([option, env, help]) =>
    `  ${option!.padEnd(width(0))}  ${env!.padEnd(width(1))}  ${help}`
  ).join("\n");
}

function parseFile(value: string): string {
  if (value === "") throw new RangeError("the name of a file is needed");
  return value;
}

function parseHost(value: string): string {
  if (/^[^\s/?#@[\]]+$/.test(value)) return value;
  throw new RangeError(
    `a host name or address is needed, not ${JSON.stringify(value)}`,
  );
}

function parsePort(value: string): number {
  if (/^(?:0|[1-9][0-9]{0,4})$/.test(value) && Number(value) <= 65535) {
    return Number(value);
  }
  throw new RangeError(
    `the port must be a whole number from 0 to 65535, not ${
      JSON.stringify(value)
    }`,
  );
}

function parseCors(value: string): string {
  resolveCors(value);
  return value;
}

function parsePublicUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (
    url && /^https?:$/.test(url.protocol) && url.username === "" &&
    url.password === "" && !/[?#]/.test(value)
  ) {
    return url.href.replace(/\/$/, "");
  }
  throw new RangeError(
    "a URL like https://plants.example is needed, without user, query or fragment",
  );
}

function parseLog(value: string): LogLevel {
  if (value === "off" || value === "errors" || value === "requests") {
    return value;
  }
  throw new RangeError(
    `off, errors or requests is needed, not ${JSON.stringify(value)}`,
  );
}
