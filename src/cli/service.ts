import { lstat } from "node:fs/promises";
import process from "node:process";
import { DEMO_TOKENS } from "../domain/demo_tokens.ts";
import { type PlantStore, StoreUnavailableError } from "../domain/store.ts";
import type { HandlerOptions } from "../http/options.ts";
import { openapi } from "../openapi/openapi.ts";
import { explorer } from "../explorer/explorer.ts";
import { withBehavior } from "../stores/behavior.ts";
import { openFileStore } from "../stores/files.ts";
import { PROGRAM } from "./program.ts";
import { createLog, type Log } from "./log.ts";
import { type CommandLine, throwUsageError, UsageError } from "./options.ts";
import type { SERVE_OPTIONS } from "./serve_options.ts";

/** What `serve` serves. */
export interface CliService {
  readonly store: CliStore;
  readonly options: HandlerOptions;
  /**
   * Prints a notice if the store contains the demo data, and a warning if other
   * machines can use demo tokens. Returns the demo tokens that are valid.
   *
   * @param host The host that the server listens on.
   */
  printNotices(host: string): Promise<readonly string[]>;
}

/** The hosts that other machines cannot reach. */
const LOOPBACK = /^(?:localhost|127(?:\.[0-9]+){3}|::1)$/i;

/** A store for the command line. */
interface CliStore extends PlantStore {
  /** Whether the store contains the built-in demo data. */
  readonly isDemo?: boolean;
  close?(): Promise<void>;
}

/**
 * Opens the store and resolves the options from a command line. From then on, an
 * uncaught error ends the process with status 1.
 */
export async function openService(
  line: CommandLine<typeof SERVE_OPTIONS>,
): Promise<CliService> {
  const { settings } = line;
  const { "base-path": basePath, "public-url": publicUrl } = settings;
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
  const store = await openStore(line, log);
  return {
    store,
    options: {
      cors: settings.cors,
      ...basePath !== undefined && { basePath },
      ...publicUrl !== undefined && { publicUrl },
      explorer,
      openapi,
      ...log.handler,
    },
    async printNotices(host) {
      if (store.isDemo) {
        log.notice(
          `serving demo data because ${settings.plants} and ${settings.tokens} do not exist; to create them, run: ${PROGRAM} init; then restart the server`,
        );
      }
      const tokens = await findDemoTokens(store);
      if (tokens.length > 0 && !LOOPBACK.test(host)) {
        const list = tokens.join(", ");
        log.notice(
          `warning: this server listens on ${host}, so other machines can use the public demo tokens (${list}); use --host 127.0.0.1 or your own tokens file`,
        );
      }
      return tokens;
    },
  };
}

/**
 * Opens the database if its URL is set, or else the files. If no path is set and
 * neither default file exists, opens the demo data.
 */
async function openStore(
  line: CommandLine<typeof SERVE_OPTIONS>,
  log: Log,
): Promise<CliStore> {
  const { settings, sources } = line;
  const { plants, tokens, "database-url": url } = settings;
  const { onChange, onStatus } = log.store;
  const add = <T extends PlantStore>(store: T): T =>
    settings.delay === undefined
      ? store
      : { ...store, ...withBehavior(store, {}, { delay: settings.delay }) };
  if (url !== undefined) {
    const file = sources.get("plants") ?? sources.get("tokens");
    if (file !== undefined) {
      throw new UsageError(
        `${file} and ${
          sources.get("database-url")
        } exclude each other; remove one of them`,
      );
    }
    const { openPostgresStore } = await import("../stores/postgres.ts");
    const opening = openPostgresStore({ url, onStatus });
    return add(await opening.catch(throwUsageError));
  }
  if (
    !sources.has("plants") && !sources.has("tokens") &&
    await isMissing(plants) && await isMissing(tokens)
  ) {
    const { createDemoStore } = await import("../stores/demo.ts");
    return { ...add(createDemoStore()), isDemo: true };
  }
  return add(await openFileStore({ plants, tokens, onChange }));
}

/** Whether nothing exists at `path`, not even a dangling symbolic link. */
async function isMissing(path: string): Promise<boolean> {
  return await lstat(path).then(() => false, ({ code }) => code === "ENOENT");
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
