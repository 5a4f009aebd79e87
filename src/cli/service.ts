import { lstat } from "node:fs/promises";
import type { PlantStore } from "../domain/store.ts";
import type { HandlerOptions } from "../http/options.ts";
import { openapi } from "../openapi/openapi.ts";
import { page } from "../page/page.ts";
import { openFileStore } from "../stores/files.ts";
import { createLog, type Log } from "./log.ts";
import { type CommandLine, UsageError } from "./options.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** The parts that `serve` and the `fetch` module share. */
export interface CliService {
  readonly store: CliStore;
  /** Whether the store contains the built-in demo data. */
  readonly isDemo: boolean;
  readonly options: HandlerOptions;
  readonly log: Log;
}

/** The notice that is printed if the store contains the demo data. */
export const DEMO_NOTICE: string =
  `serving demo data because ${SERVE_OPTIONS.plants.default} and ${SERVE_OPTIONS.tokens.default} do not exist; create them with "plant-store init"`;

/** A store for the command line. */
export interface CliStore extends PlantStore {
  /** Reloads the files. Does nothing if the content comes from elsewhere. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the store and resolves the handler options from a command line. */
export async function openService(
  line: CommandLine<typeof SERVE_OPTIONS>,
): Promise<CliService> {
  const { settings } = line;
  const { "base-path": basePath, "public-url": publicUrl, delay } = settings;
  const log = createLog(settings.log);
  return {
    log,
    ...await openStore(line, log),
    options: {
      cors: settings.cors,
      ...basePath !== undefined && { basePath },
      ...publicUrl !== undefined && { publicUrl },
      ...delay !== undefined && { delay },
      page,
      openapi,
      ...log.handler,
    },
  };
}

/**
 * Opens the database if its URL is set, or else the files. If no path is set and
 * neither default file exists, opens the demo data.
 */
async function openStore(
  { settings, named }: CommandLine<typeof SERVE_OPTIONS>,
  log: Log,
): Promise<Pick<CliService, "store" | "isDemo">> {
  const url = settings["database-url"], readUrl = settings["database-read-url"];
  if (url !== undefined) {
    return { store: await openDatabase(url, readUrl, log), isDemo: false };
  }
  if (readUrl !== undefined) {
    throw new UsageError("--database-read-url requires --database-url");
  }
  const { plants, tokens } = settings;
  const isDemo = !named.has("plants") && !named.has("tokens") &&
    await isMissing(plants) && await isMissing(tokens);
  if (isDemo) {
    const { openDemoStore } = await import("./demo_store.ts");
    const nothing = () => Promise.resolve();
    const store = { ...openDemoStore(), reload: nothing, close: nothing };
    return { store, isDemo };
  }
  const watch = !settings["no-watch"];
  const options = { plants, tokens, watch, ...log.store };
  return { store: await openFileStore(options), isDemo };
}

async function openDatabase(
  url: string,
  readUrl: string | undefined,
  log: Log,
): Promise<CliStore> {
  // File-only setups never load this module.
  const { openPostgresStore } = await import("../stores/postgres.ts");
  const store = await openPostgresStore({
    url,
    ...readUrl !== undefined && { readUrl },
    ...log.database,
  });
  return { ...store, reload: () => Promise.resolve() };
}

/** Whether nothing exists at `path`, not even a dangling symbolic link. */
async function isMissing(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
