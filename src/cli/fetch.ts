/**
 * The service as a module with a `fetch`, for runtimes that start servers by
 * themselves, one for each core: `deno serve --parallel src/cli/fetch.ts`, or
 * `bun src/cli/fetch.ts` several times on one port. The variables of the command
 * line count; on Deno its own command line has host and port.
 *
 * @module
 */
import process from "node:process";
import { createHandler, type Handler } from "../answer/handler.ts";
import { openapi } from "../openapi/openapi.ts";
import { page } from "../page/page.ts";
import { createLog } from "./log.ts";
import { type Env, parseOptions, SERVE_OPTIONS } from "./options.ts";
import { openStore, SAMPLE_NOTICE } from "./store.ts";

/** What a runtime takes a server from. */
interface FetchModule {
  readonly fetch: Handler;
  /** Read by Bun alone: Deno takes them from its command line. */
  readonly hostname: string;
  readonly port: number;
  readonly reusePort: true;
}

async function createModule(): Promise<FetchModule> {
  const line = parseOptions(SERVE_OPTIONS, [], process.env as Env);
  const { settings } = line;
  const { cors } = settings;
  const { "base-path": basePath, "public-url": publicUrl } = settings;
  const log = createLog(settings.log!);
  const { store, isSample } = await openStore(line, log);
  const handler = createHandler(store, {
    cors: cors!,
    ...basePath !== undefined && { basePath },
    ...publicUrl !== undefined && { publicUrl },
    page,
    openapi,
    ...log.handler,
  });
  if (isSample) log.notice(SAMPLE_NOTICE);
  return {
    fetch: (request) => handler(request),
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
