import { lstat } from "node:fs/promises";
import type { PlantStore } from "../domain/store.ts";
import { openFileStore } from "../stores/files.ts";
import type { Log } from "./log.ts";
import {
  type CommandLine,
  PLANTS,
  type SERVE_OPTIONS,
  TOKENS,
  UsageError,
} from "./options.ts";

/** A store as it is served. */
export interface ServedStore extends PlantStore {
  /** Reads again what it is made of, if it is not asked for each answer. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** Tells what is served where nothing was named and nothing is there. */
export const SAMPLE_NOTICE: string =
  `serving built-in demo data, as there is neither ${PLANTS.default} nor ${TOKENS.default}: "plant-store init" writes files of your own`;

/**
 * Opens the store that a command line names: the database where there is one,
 * else the files. Where neither file was named and neither default is there, it
 * is the sample data.
 */
export async function openStore(
  { settings, named }: Pick<
    CommandLine<typeof SERVE_OPTIONS>,
    "settings" | "named"
  >,
  log: Log,
): Promise<{ readonly store: ServedStore; readonly isSample: boolean }> {
  const url = settings["database-url"], readUrl = settings["database-read-url"];
  if (readUrl !== undefined && url === undefined) {
    throw new UsageError("--database-read-url needs --database-url beside it");
  }
  if (url !== undefined) {
    return { store: await openDatabase(url, readUrl, log), isSample: false };
  }
  const plants = settings.plants!, tokens = settings.tokens!;
  const isSample = !named.has("plants") && !named.has("tokens") &&
    await isMissing(plants) && await isMissing(tokens);
  const store = isSample
    ? (await import("./sample.ts")).openSampleStore()
    : await openFileStore({
      plants,
      tokens,
      watch: !settings["no-watch"],
      ...log.store,
    });
  return { store, isSample };
}

async function openDatabase(
  url: string,
  readUrl: string | undefined,
  log: Log,
): Promise<ServedStore> {
  // Who stays with files loads nothing of this.
  const { openPostgresStore } = await import("../stores/postgres.ts");
  const store = await openPostgresStore({
    url,
    ...readUrl !== undefined && { readUrl },
    ...log.database,
  });
  return { ...store, reload: () => Promise.resolve() };
}

/** A file that is there and can't be used is not missing, nor is a link that leads nowhere. */
async function isMissing(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
