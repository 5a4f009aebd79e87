import type { PlantStore } from "../domain/store.ts";
import { openFileStore } from "../stores/files.ts";
import type { Log } from "./log.ts";
import { type SERVE_OPTIONS, type Settings, UsageError } from "./options.ts";

/** A store as it is served. */
export interface ServedStore extends PlantStore {
  /** Reads again what it is made of, if it is not asked for each answer. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the store that the settings name: the database where there is one, else the files. */
export function openStore(
  settings: Settings<typeof SERVE_OPTIONS>,
  log: Log,
): Promise<ServedStore> {
  const url = settings["database-url"];
  if (url !== undefined) {
    return openDatabase(url, settings["database-read-url"], log);
  }
  return openFileStore({
    plants: settings.plants!,
    tokens: settings.tokens!,
    watch: !settings["no-watch"],
    ...log.store,
  });
}

async function openDatabase(
  url: string,
  readUrl: string | undefined,
  log: Log,
): Promise<ServedStore> {
  // Who stays with files loads nothing of this.
  const { openPostgresStore } = await import("../stores/postgres.ts");
  try {
    const store = await openPostgresStore({
      url,
      ...readUrl !== undefined && { readUrl },
      ...log.database,
    });
    return { ...store, reload: () => Promise.resolve() };
  } catch (error) {
    throw toUsageError(error);
  }
}

/** An address that can't be used is a mistake on the command line. */
export function toUsageError(error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  return new UsageError(`--database-url: ${error.message}`);
}
