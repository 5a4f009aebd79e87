import { lstat } from "node:fs/promises";
import { type FileStore, openFileStore } from "../stores/files.ts";
import type { Log } from "./log.ts";
import {
  type CommandLine,
  PLANTS,
  type SERVE_OPTIONS,
  TOKENS,
} from "./options.ts";

/** Tells what is served where nothing was named and nothing is there. */
export const SAMPLE_NOTICE: string =
  `plant-store: serving built-in demo data, as there is neither ${PLANTS.default} nor ${TOKENS.default}: "plant-store init" writes files of your own`;

/**
 * Opens the store of the two files. Where neither was named and neither default
 * is there, the sample data is served.
 */
export async function openStore(
  { settings, named }: Pick<
    CommandLine<typeof SERVE_OPTIONS>,
    "settings" | "named"
  >,
  log: Log,
): Promise<{ readonly store: FileStore; readonly isSample: boolean }> {
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

/** A file that is there and can't be used is not missing, nor is a link that leads nowhere. */
async function isMissing(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
