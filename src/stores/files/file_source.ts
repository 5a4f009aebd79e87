import { resolve } from "node:path";
import { sha256 } from "../../core/internal/digest.ts";
import { type FileProblem, StoreFileError } from "./file_error.ts";
import type { Content, FileToRead } from "./read_file.ts";
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

/** How to read the content of a file, and what to report about it. */
interface Format<T> {
  parse(path: string, bytes: Uint8Array): Promise<T>;
  summarize(value: T): string;
}

/** A file and its last valid content. */
export class FileSource<T> implements FileToRead {
  /** The path as passed by the caller, for messages. */
  readonly path: string;
  /** The absolute path, so that changing the working directory has no effect. */
  readonly file: string;
  readonly maxSize: number;
  /** The value of the last valid content; `undefined` if there is none. */
  value: T | undefined;
  /** When the most recent content was rejected; `undefined` if it is in use. */
  rejectedAt: Date | undefined;
  readonly #format: Format<T>;
  /** The digest of the most recent content, or the error from reading it. */
  #lastContent: string | undefined;
  /** Why that content was rejected; `undefined` if it is in use. */
  #rejection: FileRejected | undefined;

  constructor(path: string, maxSize: number, format: Format<T>) {
    this.path = path;
    this.file = resolve(path);
    this.maxSize = maxSize;
    this.#format = format;
  }

  /**
   * Parses the content of the file if it has changed.
   *
   * @returns The result. If the content has not changed since the last time, it is the
   * same object if the content is invalid, or else `undefined`.
   */
  async load(
    content: Content,
  ): Promise<FileReloaded | FileRejected | undefined> {
    const id = content instanceof StoreFileError
      ? String(content)
      : await sha256(content);
    if (id === this.#lastContent) return this.#rejection;
    this.#lastContent = id;
    const { path, value: previous } = this;
    try {
      if (content instanceof StoreFileError) throw content;
      this.value = await this.#format.parse(path, content);
    } catch (error) {
      this.rejectedAt = new Date();
      const { problems, omittedCount } = error instanceof StoreFileError
        ? error
        : new StoreFileError([{ path, message: String(error) }]);
      return this.#rejection = { path, problems, omittedCount };
    }
    this.rejectedAt = this.#rejection = undefined;
    const summary = this.#format.summarize(this.value);
    if (previous === undefined) return { path, summary };
    const before = this.#format.summarize(previous);
    return { path, summary: `${summary} (previously ${before})` };
  }
}
