/**
 * A store that reads plants and users from two JSON files.
 *
 * @example
 * ```ts
 * import { createHandler } from "plant-store";
 * import { openFileStore } from "plant-store/files";
 *
 * const store = await openFileStore({
 *   plants: "data/plants.json",
 *   tokens: "data/tokens.json",
 * });
 * const handler = createHandler(store);
 * const response = await handler(
 *   new Request("http://localhost/plants?limit=1", {
 *     headers: { authorization: "Bearer demo-curator" },
 *   }),
 * );
 * console.log(await response.json());
 * // [{ name: "Monstera deliciosa", tag: "vine" }]
 * await store.close();
 * ```
 *
 * @module
 */
import { notify } from "../core/internal/notify.ts";
import { createSnapshot, type Snapshot } from "../core/domain/snapshot.ts";
import { readOptions } from "../core/internal/read_options.ts";
import type { PlantStore, Readiness } from "../core/domain/store.ts";
import type { FileChange } from "./files/file_source.ts";
import { StoreFiles, throwProblems } from "./files/store_files.ts";
import { watchFiles } from "./files/watch.ts";

export {
  type FileProblem,
  formatProblem,
  StoreFileError,
} from "./files/file_error.ts";
export type {
  FileChange,
  FileRejected,
  FileReloaded,
} from "./files/file_source.ts";
export type { FileWarning } from "./files/warnings.ts";

/** Options for {@linkcode openFileStore}. */
export interface FileStoreOptions {
  /** The path of the plants file, resolved when the store is opened. */
  readonly plants: string;
  /** The path of the tokens file, resolved when the store is opened. */
  readonly tokens: string;
  /** Enables reloading of changed files within a second. Default: `true`. */
  readonly watch?: boolean;
  /**
   * Called with the result each time a file changes. Also called when the store is
   * opened, if the tokens file contains tags or names that no plant has. Errors that
   * the callback throws are written to the console.
   */
  readonly onChange?: (change: FileChange) => void;
}

/** A store that reads plants and users from two files. */
export interface FileStore extends PlantStore, AsyncDisposable {
  /** Returns when the files were loaded and, if a file is invalid now, when it was rejected. */
  ready(): Readiness;
  /**
   * Reloads both files now.
   *
   * @throws {StoreFileError} If a file is missing or invalid. The store keeps
   * serving the previous content of that file.
   */
  reload(): Promise<void>;
  /** Stops watching the files. The store keeps serving their content. */
  close(): Promise<void>;
}

/**
 * Opens a store that reads plants and users from two JSON files. Its timers
 * don't keep the process running.
 *
 * @param options The paths of the files and other options.
 * @returns A promise that resolves to the store when both files are loaded.
 * @throws {TypeError} If an option is unknown, missing, or of the wrong type.
 * @throws {StoreFileError} If a file is missing or invalid. The error lists the
 * problems in both files.
 */
export async function openFileStore(
  options: FileStoreOptions,
): Promise<FileStore> {
  const { watch = true, onChange, ...paths } = readOptions(options, {
    plants: "string",
    tokens: "string",
    watch: "boolean?",
    onChange: "function?",
  });
  const files = new StoreFiles(paths);
  let current: Snapshot;
  let loadedAt: Date;
  /** Whether both files could be read the last time. */
  let areRead = false;

  /** Reads the files, then serves all new and valid content at the same time. */
  async function load(): Promise<FileChange[]> {
    const { changes, bytes } = await files.load();
    areRead = bytes !== undefined;
    const hasNew = changes.some((change) => "summary" in change);
    const { plants: { value: plants }, tokens: { value: tokens } } = files;
    if (hasNew && plants && tokens) {
      current = createSnapshot(plants, tokens);
      loadedAt = new Date();
    }
    return changes;
  }

  // Reload in sequence, so that the newest content always wins.
  let queue: Promise<unknown> = Promise.resolve();
  function reload(isChanging?: boolean): Promise<FileChange[]> {
    const done = queue.then(async () => {
      const changes = await load();
      for (const change of changes) {
        // While a file is being written, it is probably incomplete.
        if (!isChanging || !("problems" in change)) report(change);
      }
      return changes;
    });
    queue = done;
    return done;
  }

  const reported = new WeakSet<FileChange>();
  /** Calls `onChange` once. Errors that it throws do not affect the store. */
  function report(change: FileChange): void {
    if (!onChange || reported.has(change)) return;
    reported.add(change);
    notify(onChange, change, console.error);
  }

  // Start watching before the first read, so that no change is missed.
  const stop = watch
    ? await watchFiles([files.plants, files.tokens], async (isChanging) => {
      await reload(isChanging);
      return areRead;
    })
    : () => {};
  async function close(): Promise<void> {
    stop();
    await queue;
  }

  try {
    const first = load();
    queue = first;
    const changes = await first;
    throwProblems(changes);
    changes.filter((change) => "warnings" in change).forEach(report);
  } catch (error) {
    await close();
    throw error;
  }

  return {
    authenticate: (token) => current.authenticate(token),
    ready() {
      const [rejectedAt] = [files.plants.rejectedAt, files.tokens.rejectedAt]
        .filter((date) => date !== undefined)
        .sort((a, b) => b.getTime() - a.getTime());
      return { loadedAt, ...rejectedAt && { rejectedAt } };
    },
    reload: async () => throwProblems(await reload()),
    close,
    [Symbol.asyncDispose]: close,
  };
}
