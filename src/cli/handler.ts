import type { ServiceOptions } from "../http/options.ts";
import { openapi } from "../openapi/openapi.ts";
import { page } from "../page/page.ts";
import { resolveLimits } from "../server/limits.ts";
import type { Log } from "./log.ts";
import type { SERVE_OPTIONS, Settings } from "./options.ts";

/** How the service answers that a command line asks for. */
export function toServiceOptions(
  settings: Settings<typeof SERVE_OPTIONS>,
  log: Log,
): ServiceOptions {
  const { "base-path": basePath, "public-url": publicUrl } = settings;
  return {
    cors: settings.cors!,
    ...basePath !== undefined && { basePath },
    ...publicUrl !== undefined && { publicUrl },
    urlLength: resolveLimits(settings.limits).urlLength,
    page,
    openapi,
    ...log.handler,
  };
}
