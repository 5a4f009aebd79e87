/**
 * The server as a module with a `fetch` function, for runtimes that start servers
 * themselves: `deno serve --parallel src/cli/fetch.ts`, or several
 * `bun src/cli/fetch.ts` processes on the same port. It reads the same environment
 * variables as `serve`. On Deno, `deno serve` sets the host and port.
 *
 * @module
 */
import process from "node:process";
import { resolveLimits } from "../server/serve/limits.ts";
import { createServerListener } from "../server/serve/listen.ts";
import { print } from "./command.ts";
import { type Env, parseOptions } from "./options.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
import { DEMO_NOTICE, openService } from "./service.ts";

/** The default export that `deno serve` and Bun expect. */
export interface FetchModule {
  /** Responds to a request. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** The host to listen on. Only Bun reads it. */
  readonly hostname: string;
  /** The port to listen on. Only Bun reads it. */
  readonly port: number;
  /** Allows several processes to share the port. Only Bun reads it. */
  readonly reusePort: true;
}

async function createModule(): Promise<FetchModule> {
  const line = parseOptions(SERVE_OPTIONS, [], process.env as Env);
  const { host, port, limits } = line.settings;
  const { store, options, isDemo, log } = await openService(line);
  if (isDemo) log.notice(DEMO_NOTICE);
  const { urlLength } = resolveLimits(limits);
  const listener = createServerListener(store, { ...options, urlLength });
  return {
    fetch: (request) => listener(request),
    hostname: host,
    port,
    reusePort: true,
  };
}

/** The server for `deno serve` and Bun. */
const module: FetchModule = await createModule().catch((error: Error) => {
  print(error.message);
  process.exit(1);
});

export default module;
