import { resolve } from "node:path";
import type { Plant } from "../../domain/plant.ts";
import type { Credential } from "../catalog/snapshot.ts";
import { parsePlants } from "./plants_file.ts";
import { readFile } from "./read_file.ts";
import { parseTokens } from "./tokens_file.ts";

/** A file and the value parsed from its last valid content. */
export interface FileSource<T> {
  /** The path as passed by the caller, for messages. */
  readonly path: string;
  /** The absolute path, so that changing the working directory has no effect. */
  readonly file: string;
  /** The value of the last valid content; `undefined` if there is none. */
  readonly value: T | undefined;
  /** Whether the last attempt to read the file failed. Another attempt can succeed. */
  readonly isUnread: boolean;
  /**
   * Reads the file and parses its content if it has changed.
   *
   * @returns The new content, or `undefined` if it has not changed since the last
   * read, even if it is invalid.
   * @throws {StoreFileError} If the content is new and invalid.
   */
  read(): Promise<FileContent | undefined>;
  /** Makes the next read treat the content as new. */
  forget(): void;
}

/** The number of items of each kind in a file, such as `{ plant: 198 }`. */
export type Counts = Readonly<Record<string, number>>;

/** The counts of a file that has been read. */
export interface FileContent {
  readonly counts: Counts;
  /** The counts of the content that was replaced, if any. */
  readonly previous: Counts | undefined;
}

/** Creates a source for a plants file. */
export function createPlantsSource(path: string): FileSource<readonly Plant[]> {
  return createSource(path, async (path, bytes) => {
    const plants = await parsePlants(path, bytes);
    return { value: plants, counts: { plant: plants.length } };
  });
}

/** Creates a source for the credentials in a tokens file, by the digest of the token. */
export function createTokensSource(
  path: string,
): FileSource<ReadonlyMap<string, Credential>> {
  return createSource(path, async (path, bytes) => {
    const { records, credentials } = (await parseTokens(path, bytes)).users;
    const counts = { user: records.size, token: credentials.size };
    return { value: credentials, counts };
  });
}

/** The value and the counts of a file's content. */
interface Parsed<T> {
  readonly value: T;
  readonly counts: Counts;
}

function createSource<T>(
  path: string,
  parse: (path: string, bytes: Uint8Array) => Promise<Parsed<T>>,
): FileSource<T> {
  const file = resolve(path);
  /** The digest of the most recent content, or the error from reading it. */
  let seen: string | undefined;
  let isUnread = false;
  let parsed: Parsed<T> | undefined;

  /** Records the content and returns whether it is new. */
  function isNew(content: string): boolean {
    const isNew = content !== seen;
    seen = content;
    return isNew;
  }

  return {
    path,
    file,
    get value() {
      return parsed?.value;
    },
    get isUnread() {
      return isUnread;
    },
    forget() {
      seen = undefined;
    },
    async read() {
      let bytes: Uint8Array<ArrayBuffer>;
      try {
        bytes = await readFile(file, path);
        isUnread = false;
      } catch (error) {
        isUnread = true;
        if (isNew(String(error))) throw error;
        return undefined;
      }
      const digest = await crypto.subtle.digest("SHA-256", bytes);
      if (!isNew(new Uint8Array(digest).join())) return undefined;
      const previous = parsed?.counts;
      parsed = await parse(path, bytes);
      return { counts: parsed.counts, previous };
    },
  };
}
