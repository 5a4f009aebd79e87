import { resolve } from "node:path";
import { sha256 } from "../../internal/digest.ts";
import { pluralize } from "../../internal/pluralize.ts";
import type { Plant } from "../../domain/plant.ts";
import type { Credentials } from "../../domain/credentials.ts";
import { type FileProblem, StoreFileError } from "./file_error.ts";
import { parsePlants } from "./plants_file.ts";
import type { Content } from "./read_file.ts";
import { parseTokens } from "./tokens_file.ts";
import type { FileWarning } from "./warnings.ts";

/** What a store reports about its files. */
export type FileChange = FileReloaded | FileRejected | FileWarning;

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
  readonly omittedCount: number;
}

/** A value parsed from a file, and a summary such as `198 plants`. */
interface Parsed<T> {
  readonly value: T;
  readonly summary: string;
}

type Parse<T> = (path: string, bytes: Uint8Array) => Promise<Parsed<T>>;

/** A file and its last valid content. */
export class FileSource<T> {
  /** The path as passed by the caller, for messages. */
  readonly path: string;
  /** The absolute path, so that changing the working directory has no effect. */
  readonly file: string;
  readonly #parse: Parse<T>;
  /** Whether the most recent content is in use. */
  isCurrent = false;
  #parsed: Parsed<T> | undefined;
  /** The digest of the most recent content, or the error from reading it. */
  #lastContent: string | undefined;

  constructor(path: string, parse: Parse<T>) {
    this.path = path;
    this.file = resolve(path);
    this.#parse = parse;
  }

  /** The value of the last valid content; `undefined` if there is none. */
  get value(): T | undefined {
    return this.#parsed?.value;
  }

  /**
   * Parses the content of the file if it has changed.
   *
   * @param isForced Whether to treat the content as new.
   * @returns The result, or `undefined` if the content has not changed since the
   * last time, even if it is invalid.
   */
  async load(
    content: Content,
    isForced = false,
  ): Promise<FileReloaded | FileRejected | undefined> {
    if (isForced) this.#lastContent = undefined;
    const id = content instanceof StoreFileError
      ? String(content)
      : await sha256(content);
    if (id === this.#lastContent) return undefined;
    this.#lastContent = id;
    const { path } = this;
    const previous = this.#parsed;
    this.isCurrent = false;
    try {
      if (content instanceof StoreFileError) throw content;
      this.#parsed = await this.#parse(path, content);
    } catch (error) {
      const { problems, omittedCount } = error instanceof StoreFileError
        ? error
        : new StoreFileError([{ path, message: String(error) }]);
      return { path, problems, omittedCount };
    }
    this.isCurrent = true;
    const { summary } = this.#parsed;
    return {
      path,
      summary: previous
        ? `${summary} (previously ${previous.summary})`
        : summary,
    };
  }
}

/** Creates a source for a plants file. */
export function createPlantsSource(path: string): FileSource<readonly Plant[]> {
  return new FileSource(path, async (path, bytes) => {
    const plants = await parsePlants(path, bytes);
    return { value: plants, summary: pluralize(plants.length, "plant") };
  });
}

/** Creates a source for the credentials in a tokens file. */
export function createTokensSource(path: string): FileSource<Credentials> {
  return new FileSource(path, async (path, bytes) => {
    const value = await parseTokens(path, bytes);
    const { users, tokens, digests } = value;
    const count = pluralize(tokens.size + digests.size, "token");
    return { value, summary: `${pluralize(users.size, "user")}, ${count}` };
  });
}
