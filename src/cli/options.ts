import { resolveBasePath } from "../http/base_path.ts";
import { resolveCors } from "../http/cors.ts";
import { resolvePublicUrl } from "../http/public_url.ts";
import { type Limits, parseLimits } from "../server/limits.ts";
import { parseDatabaseUrl } from "../stores/database_url.ts";

/** Thrown when the command line or a variable can't be used; the message names it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Variables of the environment, as far as they are asked for. */
export type Env = Readonly<Record<string, string | undefined>>;

/** An option of the command line: one row of `--help`. */
export interface Option<T> {
  /** What stands for the value in `--help`; none for a switch. */
  readonly value?: string;
  /** The variable that counts where the option is not given. */
  readonly env?: string;
  /** The value where neither is given, as it would be written. */
  readonly default?: string;
  readonly help: string;
  /** Makes something of the values that were given; a RangeError tells what is wrong with one. */
  read(values: readonly string[]): T;
}

/** Takes the last value, undefined where there is none. */
export function last<T>(
  parse: (value: string) => T,
): (values: readonly string[]) => T | undefined {
  return (values) => {
    const value = values.at(-1);
    return value === undefined ? undefined : parse(value);
  };
}

/** Whether the switch is on. */
export function isGiven(values: readonly string[]): boolean {
  return values.length > 0;
}

/** The files, for every command that asks for them. */
export const PLANTS: Option<string | undefined> = {
  value: "FILE",
  env: "PLANTS_FILE",
  default: "data/plants.json",
  help: "the plants, a JSON array",
  read: last(parseFile),
};
export const TOKENS: Option<string | undefined> = {
  value: "FILE",
  env: "TOKENS_FILE",
  default: "data/tokens.json",
  help: "the users and the digests of their tokens",
  read: last(parseFile),
};

/** The database that takes the place of the files, or that they are brought into. */
export const DATABASE_URL: Option<string | undefined> = {
  value: "URL",
  env: "DATABASE_URL",
  help: "a PostgreSQL database, postgres://USER:PASSWORD@HOST/NAME",
  read: last(checkDatabaseUrl),
};

/** The options of `serve`: parsing and `--help` come from here, and docs/operating.md is held to it. */
export const SERVE_OPTIONS: {
  readonly plants: Option<string | undefined>;
  readonly tokens: Option<string | undefined>;
  readonly "database-url": Option<string | undefined>;
  readonly "database-read-url": Option<string | undefined>;
  readonly host: Option<string | undefined>;
  readonly port: Option<number | undefined>;
  readonly "base-path": Option<string | undefined>;
  readonly cors: Option<string | undefined>;
  readonly "public-url": Option<string | undefined>;
  readonly "no-watch": Option<boolean>;
  readonly limits: Option<Limits | undefined>;
  readonly drain: Option<number | undefined>;
  readonly "drain-delay": Option<number | undefined>;
  readonly log: Option<LogLevel | undefined>;
} = {
  plants: PLANTS,
  tokens: TOKENS,
  "database-url": {
    ...DATABASE_URL,
    help: "a PostgreSQL database in the place of the files",
  },
  "database-read-url": {
    value: "URL",
    env: "DATABASE_READ_URL",
    help: "a standby of it, which lists are read from",
    read: last(checkDatabaseUrl),
  },
  host: {
    value: "HOST",
    env: "HOST",
    default: "127.0.0.1",
    help: "the name or address to listen on",
    read: last(parseHost),
  },
  port: {
    value: "PORT",
    env: "PORT",
    default: "8000",
    help: "the port to listen on; 0 takes a free one",
    read: last(parsePort),
  },
  "base-path": {
    value: "PATH",
    env: "BASE_PATH",
    help: "what every path starts with, like /api",
    read: last(resolveBasePath),
  },
  cors: {
    value: "ORIGIN[,ORIGIN]",
    env: "CORS",
    default: "*",
    help: 'the origins that browsers may ask from, or "off"',
    read: last(parseCors),
  },
  "public-url": {
    value: "URL",
    env: "PUBLIC_URL",
    help:
      "the address clients reach it under, base path and all, if a proxy is in front",
    read: last(resolvePublicUrl),
  },
  "no-watch": {
    help: "changed files are not read again by themselves",
    read: isGiven,
  },
  limits: {
    value: "NAME=NUMBER[,...]",
    env: "LIMITS",
    help: "what clients may take, such as connections=500,urlLength=2048",
    read: last(parseLimits),
  },
  drain: {
    value: "SECONDS",
    env: "DRAIN",
    default: "10",
    help: "how long requests under way may take once it is told to stop",
    read: last(parseSeconds),
  },
  "drain-delay": {
    value: "SECONDS",
    env: "DRAIN_DELAY",
    default: "0",
    help:
      "how long it goes on before, with /readyz at 503, for a balancer to see",
    read: last(parseSeconds),
  },
  log: {
    value: "off|errors|requests",
    env: "LOG",
    default: "errors",
    help: "what is written to standard error",
    read: last(parseLog),
  },
};

/** What is written to standard error. */
export type LogLevel = "off" | "errors" | "requests";

/** Options by name. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** What the options of a command came to. */
export type Settings<T extends Options> = {
  readonly [K in keyof T]: ReturnType<T[K]["read"]>;
};

/** What stands on a command line. */
export interface CommandLine<T extends Options> {
  readonly settings: Settings<T>;
  /** The options that were given, by themselves or by their variables. */
  readonly named: ReadonlySet<keyof T>;
  /** What belongs to no option, one for each that the command asks for. */
  readonly operands: readonly string[];
}

/**
 * Reads options from the command line, then from the environment, then from
 * their defaults. An empty variable counts as unset.
 *
 * @param operands The names of the operands that the command asks for; those in
 * brackets may be left out.
 * @throws {UsageError} When something is unknown, missing or can't be used.
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
      `unknown argument ${JSON.stringify(rest[operands.length])}`,
    );
  }
  const missing = operands[rest.length];
  if (missing !== undefined && !missing.startsWith("[")) {
    throw new UsageError(`${missing} is missing`);
  }
  const named = new Set<keyof T>();
  const settings = Object.entries(options).map(([name, option]) => {
    const [source, values] = find(name, option, given, env);
    if (source !== name) named.add(name);
    try {
      return [name, option.read(values)];
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new UsageError(`${source}: ${error.message}`);
    }
  });
  return { settings: Object.fromEntries(settings), named, operands: rest };
}

function find(
  name: string,
  option: Option<unknown>,
  given: ReadonlyMap<string, readonly string[]>,
  env: Env,
): readonly [source: string, values: readonly string[]] {
  const values = given.get(name);
  if (values) return [`--${name}`, values];
  const variable = option.env === undefined ? "" : env[option.env] ?? "";
  if (variable !== "") return [option.env!, [variable]];
  return [name, option.default === undefined ? [] : [option.default]];
}

/** The values on the command line by option, and what belongs to none. */
function readArguments(
  options: Options,
  args: readonly string[],
): { given: Map<string, string[]>; rest: string[] } {
  const given = new Map<string, string[]>();
  const rest: string[] = [];
  const left = args.values();
  for (const arg of left) {
    if (arg === "--") {
      rest.push(...left);
      break;
    }
    if (!arg.startsWith("-")) {
      rest.push(arg);
      continue;
    }
    const [, name = "", inline] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!option) {
      const shown = arg.startsWith("--") ? `--${name}` : arg;
      throw new UsageError(`unknown option ${JSON.stringify(shown)}`);
    }
    const value = option.value === undefined ? "" : inline ?? left.next().value;
    if (option.value === undefined && inline !== undefined) {
      throw new UsageError(`--${name} takes no value`);
    }
    if (value === undefined || (inline === undefined && /^-./.test(value))) {
      throw new UsageError(`--${name} needs a value: ${option.value}`);
    }
    given.set(name, [...given.get(name) ?? [], value]);
  }
  return { given, rest };
}

/** The options as `--help` shows them. */
export function describeOptions(options: Options): string {
  const rows = Object.entries(options).map(([name, option]) => [
    option.value === undefined ? `--${name}` : `--${name} ${option.value}`,
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

function checkDatabaseUrl(url: string): string {
  parseDatabaseUrl(url);
  return url;
}

/** Reads seconds, and gives milliseconds. */
function parseSeconds(value: string): number {
  if (/^[0-9]{1,5}(?:\.[0-9]{1,3})?$/.test(value)) return Number(value) * 1_000;
  throw new RangeError(
    `a number of seconds is needed, such as 10 or 0.5, not ${
      JSON.stringify(value)
    }`,
  );
}

function parseCors(value: string): string {
  resolveCors(value);
  return value;
}

function parseLog(value: string): LogLevel {
  if (value === "off" || value === "errors" || value === "requests") {
    return value;
  }
  throw new RangeError(
    `off, errors or requests is needed, not ${JSON.stringify(value)}`,
  );
}
