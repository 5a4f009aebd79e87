import type { AnswerOptions } from "../answer/answer.ts";
import { resolveLimits } from "../listen/limits.ts";
import { openapi } from "../openapi/openapi.ts";
import { page } from "../page/page.ts";
import type { Log } from "./log.ts";
import type { SERVE_OPTIONS, Settings } from "./options.ts";

/** How the service answers that a command line asks for. */
export function toAnswerOptions(
  settings: Settings<typeof SERVE_OPTIONS>,
  log: Log,
): AnswerOptions {
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
