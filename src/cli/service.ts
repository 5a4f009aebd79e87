import { lstat } from "node:fs/promises";
import process from "node:process";
import { DEMO_TOKENS } from "../domain/demo_tokens.ts";
import { type PlantStore, StoreUnavailableError } from "../domain/store.ts";
import type { HandlerOptions } from "../http/options.ts";
import { openapi } from "../openapi/openapi.ts";
import { page } from "../page/page.ts";
import { openFileStore } from "../stores/files.ts";
import { PROGRAM } from "../stores/catalog/program.ts";
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
const DEMO_NOTICE =
  `serving demo data because ${SERVE_OPTIONS.plants.default} and ${SERVE_OPTIONS.tokens.default} do not exist; to create them, run: ${PROGRAM} init`;

/** A store for the command line. */
export interface CliStore extends PlantStore {
  /** Reloads the files, and reports errors. Does nothing if the content comes from elsewhere. */
  reload(): void;
  close(): Promise<void>;
}

/**
 * Opens the store and resolves the handler options from a command line. From then
 * on, an uncaught error ends the process with status 1.
 */
export async function openService(
  line: CommandLine<typeof SERVE_OPTIONS>,
): Promise<CliService> {
  const { settings } = line;
  const { "base-path": basePath, "public-url": publicUrl, delay } = settings;
  const log = createLog(settings.log);
  // On Bun, a rejection is not an uncaught exception.
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (error) => {
      try {
        log.fatal(error);
      } finally {
        process.exit(1);
      }
    });
  }
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
    // File-only setups never load this module.
    const { openPostgresStore } = await import("../stores/postgres.ts");
    const read = readUrl !== undefined && { readUrl };
    const store = await openPostgresStore({ url, ...read, ...log.database });
    return { store: { ...store, reload() {} }, isDemo: false };
  }
  if (readUrl !== undefined) {
    throw new UsageError("--database-read-url requires --database-url");
  }
  const { plants, tokens } = settings;
  const isDemo = !named.has("plants") && !named.has("tokens") &&
    await isMissing(plants) && await isMissing(tokens);
  if (isDemo) {
    const { openDemoStore } = await import("./demo_store.ts");
    const close = () => Promise.resolve();
    return { store: { ...openDemoStore(), reload() {}, close }, isDemo };
  }
  const watch = !settings["no-watch"];
  const store = await openFileStore({ plants, tokens, watch, ...log.store });
  const reload = () => {
    store.reload().catch(() => {
      // The store reported the error and keeps serving the previous content.
    });
  };
  return { store: { ...store, reload }, isDemo };
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

/**
 * Prints a notice if the store contains the demo data, and a warning if other
 * machines can use demo tokens. Returns the demo tokens that are valid.
 *
 * @param host The host that the server listens on.
 */
export async function printNotices(
  { store, isDemo, log }: CliService,
  host: string,
): Promise<readonly string[]> {
  if (isDemo) log.notice(DEMO_NOTICE);
  const demoTokens = await findDemoTokens(store);
  if (demoTokens.length > 0 && !isLoopback(host)) {
    log.notice(
      `warning: other machines can reach this server at ${host} and use the public demo tokens (${
        demoTokens.join(", ")
      }); use --host 127.0.0.1 or your own tokens file`,
    );
  }
  return demoTokens;
}

/** Returns the demo tokens that are valid; none if the database is unavailable. */
async function findDemoTokens(store: PlantStore): Promise<readonly string[]> {
  const valid: string[] = [];
  try {
    for (const token of DEMO_TOKENS.keys()) {
      if (await store.authenticate(token)) valid.push(token);
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
  }
  return valid;
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.[0-9]+){3}|::1)$/i.test(host);
}
