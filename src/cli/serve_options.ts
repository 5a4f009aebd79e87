import { resolveBasePath } from "../core/http/base_path.ts";
import { resolveCors } from "../core/http/cors.ts";
import {
  type Behavior,
  isBehavior,
  MAX_DELAY,
} from "../core/domain/behavior.ts";
import { resolvePublicUrl } from "../core/http/public_url.ts";
import { DEFAULTS } from "../server/runtimes/defaults.ts";
import { checkDatabaseUrl } from "../stores/postgres/pg_client.ts";
import { invalid, parseSeconds } from "./parse_options.ts";

/**
 * The options for `serve`, in the order in which the help lists them. Other commands
 * share some of them.
 */
export const SERVE_OPTIONS = {
  plants: {
    value: "FILE",
    env: "PLANTS_FILE",
    default: "data/plants.json",
    help: "Plants file",
    parse: (path: string, name: string): string => parseFile(path, name),
  },
  tokens: {
    value: "FILE",
    env: "TOKENS_FILE",
    default: "data/tokens.json",
    help: "Tokens file, with the users and their tokens",
    parse: (path: string, name: string): string => parseFile(path, name),
  },
  "database-url": {
    value: "URL",
    env: "DATABASE_URL",
    help: "Serve a PostgreSQL database instead of the files",
    parse: (url: string, name: string): string => checkDatabaseUrl(url, name),
  },
  demo: {
    help: "Serve the demo data, with public tokens, instead of the files",
  },
  host: {
    value: "HOST",
    env: "HOST",
    default: `${DEFAULTS.host}`,
    help: "Listen on HOST",
    parse(host: string, name: string): string {
      if (/^[^\s/?#@[\]]+$/.test(host)) return host;
      throw invalid(name, "a host name or address without brackets", host);
    },
  },
  port: {
    value: "PORT",
    env: "PORT",
    default: `${DEFAULTS.port}`,
    help: "Listen on PORT; 0 picks a free port",
    parse(text: string, name: string): number {
      const port = /^(?:0|[1-9][0-9]{0,4})$/.test(text) ? Number(text) : NaN;
      if (port <= 65535) return port;
      throw invalid(name, "an integer from 0 to 65535", text);
    },
  },
  "base-path": {
    value: "PATH",
    env: "BASE_PATH",
    help: "Prefix for all paths, such as /api",
    parse: (path: string, name: string): string => resolveBasePath(path, name),
  },
  "public-url": {
    value: "URL",
    env: "PUBLIC_URL",
    help: "Public URL of the server",
    parse: (url: string, name: string): string => resolvePublicUrl(url, name),
  },
  cors: {
    value: "ORIGIN[,ORIGIN]",
    env: "CORS",
    default: "*",
    help: "Allow these browser origins, with credentials; off disables CORS",
    parse(origins: string, name: string): string {
      try {
        resolveCors(origins, [], name);
      } catch (error) {
        const hint = "write each without a slash at the end, or * alone";
        throw new RangeError(`${(error as Error).message}; ${hint}`);
      }
      return origins;
    },
  },
  delay: {
    value: "MS|MIN-MAX",
    env: "DELAY",
    help:
      "Delay /plants by MS milliseconds, or by a random time from MIN to MAX",
    parse(text: string, name: string): Behavior {
      const delay = /^[0-9]+$/.test(text) ? Number(text) : text;
      const behavior = { delay };
      if (isBehavior(behavior)) return behavior;
      const expected =
        `a number of milliseconds from 0 to ${MAX_DELAY}, or a range such as 200-800`;
      throw invalid(name, expected, text);
    },
  },
  log: {
    value: "off|errors|requests" as const,
    env: "LOG",
    default: "errors",
    help: "Set the log level",
  },
  "shutdown-timeout": {
    value: "SECONDS",
    env: "SHUTDOWN_TIMEOUT",
    default: `${DEFAULTS.shutdownTimeout / 1_000}`,
    help: "Wait up to SECONDS for in-flight requests at shutdown",
    parse: (text: string, name: string): number => parseSeconds(text, name),
  },
  "shutdown-delay": {
    value: "SECONDS",
    env: "SHUTDOWN_DELAY",
    default: `${DEFAULTS.shutdownDelay / 1_000}`,
    help: "Return 503 from /readyz for SECONDS before shutting down",
    parse: (text: string, name: string): number => parseSeconds(text, name),
  },
};

function parseFile(path: string, name: string): string {
  if (path !== "") return path;
  throw invalid(name, "a path", path);
}
