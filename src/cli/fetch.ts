/**
 * The service as a module with a `fetch`, for runtimes that start servers by
 * themselves, one for each core: `deno serve --parallel src/cli/fetch.ts`, or
 * `bun src/cli/fetch.ts` several times on one port. The variables of the command
 * line count; on Deno its own command line has host and port.
 *
 * @module
 */
import process from "node:process";
import type { FetchListener } from "../http/handler.ts";
import { createCloningListener } from "../server/listen.ts";
import { toServiceOptions } from "./handler.ts";
import { createLog } from "./log.ts";
import { type Env, parseOptions, SERVE_OPTIONS } from "./options.ts";
import { openStore, SAMPLE_NOTICE } from "./store.ts";

/** What a runtime takes a server from. */
interface FetchModule {
  readonly fetch: FetchListener;
  /** Read by Bun alone: Deno takes them from its command line. */
  readonly hostname: string;
  readonly port: number;
  readonly reusePort: true;
}

async function createModule(): Promise<FetchModule> {
  const line = parseOptions(SERVE_OPTIONS, [], process.env as Env);
  const { settings } = line;
  const log = createLog(settings.log!);
  const { store, isSample } = await openStore(line, log);
  const respond = createCloningListener(store, toServiceOptions(settings, log));
  if (isSample) log.notice(SAMPLE_NOTICE);
  return {
    fetch: (request) => respond(request),
    hostname: settings.host!,
    port: settings.port!,
    reusePort: true,
  };
}

const module: FetchModule = await createModule().catch((error: Error) => {
  console.error(`plant-store: ${error.message}`);
  process.exit(1);
});

export default module;
