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
   * @returns A summary of the content, or `undefined` if it has not changed since
   * the last read, even if it is invalid.
   * @throws {StoreFileError} If the content is new and invalid.
   */
  read(): Promise<string | undefined>;
  /** Makes the next read treat the content as new. */
  forget(): void;
}

/** The part of a tokens file that a server needs. */
export interface Credentials {
  /** The number of users, including those without tokens. */
  readonly users: number;
  /** The credentials, by the digest of the token. */
  readonly credentials: ReadonlyMap<string, Credential>;
}

/** Creates a source for a plants file. */
export function createPlantsSource(path: string): FileSource<readonly Plant[]> {
  return createSource(path, parsePlants, ({ length }, before) => {
    const was = before ? ` (was ${before.length})` : "";
    return `${count(length, "plant")}${was}`;
  });
}

/** Creates a source for a tokens file. */
export function createTokensSource(path: string): FileSource<Credentials> {
  return createSource(
    path,
    parseCredentials,
    ({ users, credentials }, before) => {
      const was = before
        ? ` (was ${before.users}, ${before.credentials.size})`
        : "";
      return `${count(users, "user")}, ${
        count(credentials.size, "token")
      }${was}`;
    },
  );
}

async function parseCredentials(
  path: string,
  bytes: Uint8Array,
): Promise<Credentials> {
  const { records, credentials } = (await parseTokens(path, bytes)).users;
  return { users: records.size, credentials };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function createSource<T>(
  path: string,
  parse: (path: string, bytes: Uint8Array) => Promise<T>,
  summarize: (value: T, before: T | undefined) => string,
): FileSource<T> {
  const file = resolve(path);
  /** The digest of the most recent content, or the error from reading it. */
  let seen: string | undefined;
  let isUnread = false;
  let value: T | undefined;

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
      return value;
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
      const before = value;
      value = await parse(path, bytes);
      return summarize(value, before);
    },
  };
}
