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
import { createHash } from "node:crypto";
import { createSnapshot, type Snapshot } from "../domain/snapshot.ts";
import type { PlantStore, View } from "../domain/store.ts";
import { readPlantsFile, readTokensFile, StoreFileError } from "./read.ts";

export { type FileProblem, formatProblem, StoreFileError } from "./read.ts";
export {
  type TokenRecord,
  type UserRecord,
  UserSchema,
} from "../domain/user.ts";

/** Which files a {@linkcode FileStore} is made of. */
export interface FileStoreOptions {
  /** The path of the plants file. */
  readonly plants: string;
  /** The path of the tokens file. */
  readonly tokens: string;
}

/** A store made of two files. */
export interface FileStore extends PlantStore, AsyncDisposable {
  /** What this token's user may see, or undefined when the token is not valid. */
  view(token: string): View | undefined;
  /**
   * Reads both files again and serves what they hold now.
   *
   * @throws {StoreFileError} When a file can't be used: what was served before
   * goes on being served.
   */
  reload(): Promise<void>;
  /** Lets go of the files. */
  close(): Promise<void>;
}

/**
 * Opens a store made of two files.
 *
 * @param options The paths of the files.
 * @returns The store, with both files read.
 * @throws {StoreFileError} When a file can't be used. It has all problems of
 * both files.
 */
export async function openFileStore(
  { plants, tokens }: FileStoreOptions,
): Promise<FileStore> {
  let current = await load(plants, tokens);
  return {
    view: (token) => current.view(token),
    async reload() {
      current = await load(plants, tokens);
    },
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function load(
  plantsPath: string,
  tokensPath: string,
): Promise<Pick<Snapshot, "view">> {
  const [plants, credentials] = await Promise.allSettled([
    readPlantsFile(plantsPath),
    readTokensFile(tokensPath),
  ]);
  if (plants.status === "fulfilled" && credentials.status === "fulfilled") {
    return viewByToken(createSnapshot(plants.value, credentials.value));
  }
  throw merge([plants, credentials]);
}

function merge(results: readonly PromiseSettledResult<unknown>[]): Error {
  const reasons = results.flatMap((result) =>
    result.status === "rejected" ? [result.reason as Error] : []
  );
  const unexpected = reasons.find((each) => !(each instanceof StoreFileError));
  return unexpected ??
    new StoreFileError(
      (reasons as StoreFileError[]).flatMap(({ problems }) => problems),
    );
}

/** How many tokens' digests are remembered. */
const MAX_REMEMBERED = 10_000;

/** A snapshot of users by the digests of their tokens, asked by token. */
function viewByToken(snapshot: Snapshot): Pick<Snapshot, "view"> {
  // A digest costs more than the rest of an answer. Those of valid tokens alone
  // are remembered, so that strangers can't fill this.
  const digests = new Map<string, string>();
  return {
    view(token) {
      const known = digests.get(token);
      if (known !== undefined) return snapshot.view(known);
      const digest = createHash("sha256").update(token).digest("hex");
      const view = snapshot.view(digest);
      if (view && digests.size < MAX_REMEMBERED) digests.set(token, digest);
      return view;
    },
  };
}
