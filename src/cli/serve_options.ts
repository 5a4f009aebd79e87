import { quote } from "../domain/quote.ts";
import { resolveBasePath } from "../http/base_path.ts";
import { resolveCors } from "../http/cors.ts";
import { type DelayRange, parseDelay } from "../http/delay.ts";
import { resolvePublicUrl } from "../http/public_url.ts";
import { DEFAULTS } from "../server/defaults.ts";
import { type Limits, parseLimits } from "../server/limits.ts";
import { parseDatabaseUrl } from "../stores/database_url.ts";
import { isPresent, last, type Option } from "./options.ts";

/** The options for the files, shared by all commands that use the files. */
export const PLANTS: Option<string | undefined> = {
  value: "FILE",
  env: "PLANTS_FILE",
  default: "data/plants.json",
  help: "Read plants from FILE",
  read: last(parseFile),
};
export const TOKENS: Option<string | undefined> = {
  value: "FILE",
  env: "TOKENS_FILE",
  default: "data/tokens.json",
  help: "Read users and tokens from FILE",
  read: last(parseFile),
};

/** The option for the database, shared by all commands that use one. */
export const DATABASE_URL: Option<string | undefined> = {
  value: "URL",
  env: "DATABASE_URL",
  help: "Use a PostgreSQL database instead of the files",
  read: last(checkDatabaseUrl),
};

/** The log level. */
export type LogLevel = "off" | "errors" | "requests";

/** The options for `serve`. */
export interface ServeOptionTable {
  readonly plants: Option<string | undefined>;
  readonly tokens: Option<string | undefined>;
  readonly "no-watch": Option<boolean>;
  readonly "database-url": Option<string | undefined>;
  readonly "database-read-url": Option<string | undefined>;
  readonly host: Option<string | undefined>;
  readonly port: Option<number | undefined>;
  readonly "base-path": Option<string | undefined>;
  readonly "public-url": Option<string | undefined>;
  readonly cors: Option<string | undefined>;
  readonly delay: Option<DelayRange | undefined>;
  readonly limits: Option<Limits | undefined>;
  readonly log: Option<LogLevel | undefined>;
  readonly drain: Option<number | undefined>;
  readonly "drain-delay": Option<number | undefined>;
}

/** The options for `serve`, in the order in which the help lists them. */
export const SERVE_OPTIONS: ServeOptionTable & Record<string, Option<unknown>> =
  {
    plants: PLANTS,
    tokens: TOKENS,
    "no-watch": {
      help: "Reload changed files only on SIGHUP",
      read: isPresent,
    },
    "database-url": DATABASE_URL,
    "database-read-url": {
      value: "URL",
      env: "DATABASE_READ_URL",
      help: "Read lists from this standby server (read replica)",
      read: last(checkDatabaseUrl),
    },
    host: {
      value: "HOST",
      env: "HOST",
      default: DEFAULTS.host,
      help: "Listen on HOST",
      read: last(parseHost),
    },
    port: {
      value: "PORT",
      env: "PORT",
      default: `${DEFAULTS.port}`,
      help: "Listen on PORT; 0 picks a free port",
      read: last(parsePort),
    },
    "base-path": {
      value: "PATH",
      env: "BASE_PATH",
      help: "Serve everything under PATH, such as /api",
      read: last(resolveBasePath),
    },
    "public-url": {
      value: "URL",
      env: "PUBLIC_URL",
      help: "Advertise URL to clients when behind a proxy",
      read: last(resolvePublicUrl),
    },
    cors: {
      value: "ORIGIN[,ORIGIN]",
      env: "CORS",
      default: "*",
      help: "Allow these browser origins; off disables CORS",
      read: last(checkCors),
    },
    delay: {
      value: "MS|MIN-MAX",
      env: "DELAY",
      help: "Delay /plants responses by MS, such as 500 or 200-800",
      read: last(parseDelay),
    },
    limits: {
      value: "NAME=NUMBER[,...]",
      env: "LIMITS",
      help: "Set limits, such as connections=500,urlLength=2048",
      read: last(parseLimits),
    },
    log: {
      value: "off|errors|requests",
      env: "LOG",
      default: "errors",
      help: "Set the log level",
      read: last(parseLogLevel),
    },
    drain: {
      value: "SECONDS",
      env: "DRAIN",
      default: `${DEFAULTS.deadline / 1_000}`,
      help: "Wait this long for in-flight requests to finish",
      read: last(parseSeconds),
    },
    "drain-delay": {
      value: "SECONDS",
      env: "DRAIN_DELAY",
      default: `${DEFAULTS.delay / 1_000}`,
      help: "Return 503 from /readyz this long before draining",
      read: last(parseSeconds),
    },
  };

/** Creates the error for an invalid value. */
function invalid(name: string, expected: string, value: string): RangeError {
  return new RangeError(
    `${name} must be ${expected}, got ${quote(value)}`,
  );
}

function parseFile(value: string, name: string): string {
  if (value === "") throw invalid(name, "a file path", value);
  return value;
}

function parseHost(value: string, name: string): string {
  if (/^[^\s/?#@[\]]+$/.test(value)) return value;
  throw invalid(name, "a host name or address", value);
}

function parsePort(value: string, name: string): number {
  const isPort = /^(?:0|[1-9][0-9]{0,4})$/.test(value) &&
    Number(value) <= 65535;
  if (isPort) return Number(value);
  throw invalid(name, "an integer from 0 to 65535", value);
}

function checkDatabaseUrl(url: string, name: string): string {
  parseDatabaseUrl(url, name);
  return url;
}

function checkCors(value: string, name: string): string {
  resolveCors(value, [], name);
  return value;
}

/** Parses a number of seconds and converts it to milliseconds. */
function parseSeconds(value: string, name: string): number {
  if (/^-/.test(value)) throw invalid(name, "0 or more", value);
  if (/^[0-9]{1,5}(?:\.[0-9]{1,3})?$/.test(value)) {
    return Math.round(Number(value) * 1_000); // 1.001 * 1000 is 1000.9999999999999
  }
  throw invalid(name, "a number of seconds, such as 10 or 0.5", value);
}

function parseLogLevel(value: string, name: string): LogLevel {
  if (value === "off" || value === "errors" || value === "requests") {
    return value;
  }
  throw invalid(name, "off, errors, or requests", value);
}
