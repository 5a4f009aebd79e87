/**
 * A store made of two JSON files: the plants, and the users with their tokens.
 *
 * @example
 * ```ts
 * import { createHandler } from "plant-store";
 * import { openFileStore } from "plant-store/files";
 * import { assertEquals } from "@std/assert";
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
 * assertEquals(await response.json(), [
 *   { name: "Monstera deliciosa", tag: "vine" },
 * ]);
 * await store.close();
 * ```
 *
 * @module
 */
import { type Catalog, createCatalog } from "../domain/catalog.ts";
import { createCurrentSnapshot, createSnapshot } from "../domain/snapshot.ts";
import type { PlantStore, Readiness, Viewer } from "../domain/store.ts";
import { addEtagFast, digest } from "./digest.ts";
import { runInBetween } from "./in_between.ts";
import { type FileProblem, StoreFileError } from "./read.ts";
import {
  createPlantsSource,
  createUsersSource,
  type FileReloaded,
} from "./source.ts";
import { watchPath } from "./watch.ts";

export { type FileProblem, formatProblem, StoreFileError } from "./read.ts";
export type { FileReloaded } from "./source.ts";
export {
  type TokenRecord,
  type UserRecord,
  UserSchema,
} from "../domain/user.ts";

/** Which files a {@linkcode FileStore} is made of, and how it follows them. */
export interface FileStoreOptions {
  /** The path of the plants file, resolved when the store is opened. */
  readonly plants: string;
  /** The path of the tokens file, resolved when the store is opened. */
  readonly tokens: string;
  /** Whether a changed file is read again by itself, within a second. Default: true. */
  readonly watch?: boolean;
  /**
   * Called with the result each time a file changes. An error that it throws is
   * written to the console.
   */
  readonly onChange?: (change: FileChange) => void;
}

/** What became of a file that changed. */
export type FileChange = FileReloaded | FileRefused;

/** A file that changed and can't be used: what it held before is served on. */
export interface FileRefused {
  /** The file, as it was named. */
  readonly path: string;
  /** What is wrong with it: at least one problem, at most 20. */
  readonly problems: readonly FileProblem[];
  /** How many problems there are beside these. */
  readonly more: number;
}

/** A store made of two files. */
export interface FileStore extends PlantStore, AsyncDisposable {
  /** Returns the user that a token belongs to, or `undefined` if it is not valid. */
  authenticate(token: string): Viewer | undefined;
  /** When the files were read, and when one was refused, if it has not been mended since. */
  ready(): Readiness;
  /**
   * Reads both files again and serves what they hold now.
   *
   * @throws {StoreFileError} When a file can't be used. What it held before is
   * served on; the other file counts.
   */
  reload(): Promise<void>;
  /** Stops following the files. What they held is served on. */
  close(): Promise<void>;
}

/**
 * Opens a store made of two files. Its timers never hold the process.
 *
 * @param options The paths of the files, and how they are followed.
 * @returns The store, with both files read.
 * @throws {StoreFileError} When a file can't be used. It has all problems of
 * both files.
 */
export async function openFileStore(
  options: FileStoreOptions,
): Promise<FileStore> {
  const { watch = true, onChange } = options;
  const plants = createPlantsSource(options.plants);
  const tokens = createUsersSource(options.tokens);
  const sources = [plants, tokens];

  // One task at a time, so that the last to start is the last to count.
  let queue: Promise<unknown> = Promise.resolve();
  function enqueue<T>(task: () => Promise<T>): Promise<T> {
    const done = queue.then(task);
    queue = done.catch(() => {});
    return done;
  }

  // From before they are read, so that no change falls between.
  const watches = await Promise.all(
    (watch ? sources : []).map((source) =>
      watchPath(source.file, () => {
        enqueue(() => refresh(source)).catch(() => {
          // It has been told: what was served before is served on.
        });
      })
    ),
  );
  function close(): Promise<void> {
    for (const end of watches) end();
    return enqueue(() => Promise.resolve());
  }

  let catalog: Catalog;
  const current = createCurrentSnapshot();
  let loaded: Date;
  /** When files were refused that have not been mended since. */
  const refusals = new Map<unknown, Date>();
  async function build(source?: typeof sources[number]): Promise<void> {
    if (source !== tokens) {
      catalog = await runInBetween(createCatalog(plants.value, addEtagFast));
    }
    const { credentials } = tokens.value;
    current.replace(createSnapshot(catalog, credentials, { keyOf: digest }));
    loaded = new Date();
  }

  /** Reads a file again and serves its content if it is new. */
  async function refresh(source: typeof sources[number]): Promise<void> {
    let change: FileChange;
    try {
      const describe = await source.read();
      if (!describe) return;
      await build(source);
      refusals.delete(source);
      if (!onChange) return;
      change = await describe();
    } catch (error) {
      refusals.delete(source); // the latest is the last
      refusals.set(source, new Date());
      const { path } = source;
      const { problems, more } = error instanceof StoreFileError
        ? error
        : { problems: [{ path, message: `can't be used: ${error}` }], more: 0 };
      report({ path, problems, more });
      throw error;
    }
    report(change);
  }

  /** Calls `onChange`. An error in it does not affect the store. */
  function report(change: FileChange): void {
    try {
      onChange?.(change);
    } catch (error) {
      console.error(error);
    }
  }

  try {
    await enqueue(async () => {
      await readAll(sources.map((source) => source.read()));
      await build();
    });
  } catch (error) {
    await close();
    throw error;
  }

  return {
    authenticate: current.authenticate,
    ready() {
      const refused = [...refusals.values()].at(-1);
      return { loaded, ...refused && { refused } };
    },
    reload: () =>
      enqueue(() => {
        for (const source of sources) source.forget();
        return readAll(sources.map(refresh));
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Waits for all, then throws the problems of all that failed as one error. */
async function readAll(reads: readonly Promise<unknown>[]): Promise<void> {
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
