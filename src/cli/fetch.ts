/**
 * The server as a module with a `fetch` function, for runtimes that start servers
 * themselves: `deno serve --parallel src/cli/fetch.ts`, or several
 * `bun src/cli/fetch.ts` processes on the same port. It reads the same environment
 * variables as `serve`. On Deno, `deno serve` sets the host and port.
 *
 * @module
 */
import process from "node:process";
import { BUN_OPTIONS } from "../server/serve/bun_server.ts";
import { LIMITS } from "../server/serve/defaults.ts";
import { createServerListener } from "../server/serve/listen.ts";
import { toServerUrl } from "../server/serve/server_url.ts";
import { type Env, parseOptions } from "./options.ts";
import { handleOutputErrors, reportError } from "./problems.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
import { openService } from "./service.ts";
import { handleSignals } from "./signals.ts";

/** The default export that `deno serve` and Bun expect. Only Bun reads the other properties. */
export interface FetchModule {
  /** Responds to a request. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Called by Deno with the address that the server listens on. */
  onListen(address: { readonly hostname: string; readonly port: number }): void;
  /** The host to listen on. */
  readonly hostname: string;
  /** The port to listen on. */
  readonly port: number;
  /** Allows several processes to share the port. */
  readonly reusePort: true;
}

async function createModule(): Promise<FetchModule> {
  const onStart = handleSignals();
  const line = parseOptions(SERVE_OPTIONS, [], process.env as Env);
  const { host, port, "base-path": basePath = "" } = line.settings;
  const service = await openService(line);
  const { store, options, reload, printNotices } = service;
  onStart({ reload });
  if ("Bun" in globalThis) await printNotices(host);
  return {
    fetch: createServerListener(store, { ...options, ...LIMITS }),
    async onListen({ hostname, port }) {
      await printNotices(hostname);
      console.log(`Listening on ${toServerUrl(hostname, port, basePath)}`);
    },
    hostname: host,
    port,
    reusePort: true,
    ...BUN_OPTIONS,
  };
}

handleOutputErrors();

/** The server for `deno serve` and Bun. */
const module: FetchModule = await createModule().catch((error) =>
  process.exit(reportError(error))
);

export default module;
