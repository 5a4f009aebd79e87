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
import { createSnapshot, type Snapshot } from "./catalog/snapshot.ts";
import { readOptions } from "../domain/options.ts";
import type { PlantStore, Readiness, Viewer } from "../domain/store.ts";
import { applyBehavior } from "./behavior.ts";
import { digest } from "./digest.ts";
import { type FileProblem, StoreFileError } from "./files/file_error.ts";
import {
  createPlantsSource,
  createTokensSource,
  type FileContent,
  type FileSource,
} from "./files/file_source.ts";
import { summarize } from "./files/summarize.ts";
import { watchFile } from "./files/watch.ts";

export {
  type FileProblem,
  formatProblem,
  StoreFileError,
} from "./files/file_error.ts";
export {
  type TokenRecord,
  type UserRecord,
  UserSchema,
} from "./catalog/user.ts";

/** Options for {@linkcode openFileStore}. */
export interface FileStoreOptions {
  /** The path of the plants file, resolved when the store is opened. */
  readonly plants: string;
  /** The path of the tokens file, resolved when the store is opened. */
  readonly tokens: string;
  /** Enables reloading of changed files within a second. Default: `true`. */
  readonly watch?: boolean;
  /**
   * Called with the result each time a file changes. Errors that the callback
   * throws are written to the console.
   */
  readonly onChange?: (change: FileChange) => void;
}

/** The result of reading a changed file. */
export type FileChange = FileReloaded | FileRejected;

/** Reports that a changed file was reloaded. */
export interface FileReloaded {
  /** The path of the file, as passed to the store. */
  readonly path: string;
  /** A summary of the new and previous content, such as `198 plants (previously 197 plants)`. */
  readonly summary: string;
}

/** Reports a missing or invalid file. The store keeps the previous content. */
export interface FileRejected {
  /** The path of the file, as passed to the store. */
  readonly path: string;
  /** The problems in the file: at least 1, at most 20. */
  readonly problems: readonly FileProblem[];
  /** The number of problems that are not listed. */
  readonly more: number;
}

/** A store that reads plants and users from two files. */
export interface FileStore extends PlantStore, AsyncDisposable {
  /** Returns the user for a token, or `undefined` if the token is not valid. */
  authenticate(token: string): Viewer | undefined;
  /** Returns when the files were loaded and, if a file is invalid now, when it was rejected. */
  ready(): Readiness;
  /**
   * Reloads both files, even if they are unchanged.
   *
   * @throws {StoreFileError} If a file is missing or invalid. The store keeps
   * serving the previous content of that file.
   */
  reload(): Promise<void>;
  /** Stops watching the files. The store keeps serving their content. */
  close(): Promise<void>;
}

type Source = FileSource<unknown>;

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
  const plants = createPlantsSource(paths.plants);
  const tokens = createTokensSource(paths.tokens);
  const sources: readonly Source[] = [plants, tokens];
  let current: Snapshot | undefined;
  let loaded = new Date();
  /** When each file that is now invalid was rejected. */
  const rejections = new Map<unknown, Date>();

  // Run tasks in sequence, so that the newest content always wins.
  let queue: Promise<unknown> = Promise.resolve();
  function enqueue<T>(task: () => Promise<T>): Promise<T> {
    const done = queue.then(task);
    queue = done.catch(() => {});
    return done;
  }

  /** Replaces the snapshot. */
  function replaceSnapshot(): void {
    current = createSnapshot(plants.value!, tokens.value!, { keyOf: digest });
    loaded = new Date();
  }

  /** Reads files, then serves all new and valid content at the same time. */
  async function refresh(changed: readonly Source[]): Promise<void> {
    const contents = new Map<Source, FileContent>();
    const reads = changed.map(async (source) => {
      try {
        const content = await source.read();
        if (content) contents.set(source, content);
      } catch (error) {
        reject(source, error);
        throw error;
      }
    });
    await Promise.allSettled(reads);
    try {
      if (contents.size > 0) replaceSnapshot();
    } catch (error) {
      for (const source of contents.keys()) reject(source, error);
      throw error;
    }
    for (const [source, content] of contents) {
      rejections.delete(source);
      report({ path: source.path, summary: summarize(content) });
    }
    await settleAll(reads);
  }

  /** Reports that a file is invalid. */
  function reject(source: Source, error: unknown): void {
    rejections.delete(source); // so that the file moves to the end of the map
    rejections.set(source, new Date());
    const { path } = source;
    const { problems, more } = error instanceof StoreFileError
      ? error
      : { problems: [{ path, message: String(error) }], more: 0 };
    report({ path, problems, more });
  }

  /** Calls `onChange`. Errors that it throws do not affect the store. */
  function report(change: FileChange): void {
    try {
      onChange?.(change);
    } catch (error) {
      console.error(error);
    }
  }

  // Start watching before the first read, so that no change is missed.
  const watches = await Promise.all(
    (watch ? sources : []).map((source) =>
      watchFile(source, () =>
        enqueue(() => refresh([source])).catch(() => {
          // `reject` reported the error. The store keeps the previous content.
        }))
    ),
  );
  function close(): Promise<void> {
    for (const stop of watches) stop();
    return enqueue(() => Promise.resolve());
  }

  try {
    await enqueue(async () => {
      await settleAll(sources.map((source) => source.read()));
      replaceSnapshot();
    });
  } catch (error) {
    await close();
    throw error;
  }

  return {
    authenticate: applyBehavior((token) => current?.authenticate(token)),
    ready() {
      const rejected = [...rejections.values()].at(-1);
      return { loaded, ...rejected && { rejected } };
    },
    reload: () =>
      enqueue(() => {
        for (const source of sources) source.forget();
        return refresh(sources);
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Waits for all reads, then throws any problems as one error. */
async function settleAll(reads: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(reads);
  const errors = results.flatMap((result) =>
    result.status === "rejected" ? [result.reason] : []
  );
  const unexpected = errors.find((error) => !(error instanceof StoreFileError));
  if (unexpected) throw unexpected;
  if (errors.length > 0) {
    throw new StoreFileError(
      errors.flatMap(({ problems }) => problems),
      errors.reduce((sum, { more }) => sum + more, 0),
    );
  }
}
