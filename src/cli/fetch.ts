/**
 * The server as a module with a `fetch` function, for runtimes that start servers
 * themselves: `deno serve --parallel src/cli/fetch.ts`, or
 * `bun src/cli/fetch.ts` several times on the same port. It reads the same
 * environment variables as the command line. On Deno, `deno serve` sets the host
 * and port.
 *
 * @module
 */
import process from "node:process";
import type { MaybePromise } from "../domain/maybe_promise.ts";
import { resolveLimits } from "../server/limits.ts";
import { createCloningListener } from "../server/listen.ts";
import { print } from "./command.ts";
import { type Env, parseOptions } from "./options.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
import { DEMO_NOTICE, openService } from "./service.ts";

/** The default export of a module that a runtime can serve. */
interface FetchModule {
  readonly fetch: (request: Request) => MaybePromise<Response>;
  /** Read only by Bun. */
  readonly hostname: string;
  readonly port: number;
  readonly reusePort: true;
}

async function createModule(): Promise<FetchModule> {
  const line = parseOptions(SERVE_OPTIONS, [], process.env as Env);
  const { host, port, limits } = line.settings;
  const { store, options, isDemo, log } = await openService(line);
  if (isDemo) log.notice(DEMO_NOTICE);
  const { urlLength } = resolveLimits(limits);
  const listener = createCloningListener(store, { ...options, urlLength });
  return {
    fetch: (request) => listener(request),
    hostname: host!,
    port: port!,
    reusePort: true,
  };
}

const module: FetchModule = await createModule().catch((error: Error) => {
  print(error.message);
  process.exit(1);
});

export default module;
