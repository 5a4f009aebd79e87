import {
  applyEdits,
  type FormattingOptions,
  type JSONPath,
  modify,
} from "jsonc-parser";
import type { UserRecord } from "../domain/user.ts";
import { withLock } from "./lock.ts";
import { parseTokens, readContent } from "./read.ts";
import { replaceFile } from "./replace.ts";

/** One edit of a tokens file. */
export interface Edit {
  /** The way from the top; a -1 at its end stands behind the last element of an array. */
  readonly path: JSONPath;
  /** The new value; undefined removes what stands there. */
  readonly value: unknown;
}

/** The users of a tokens file as they stand in it. */
export type UserRecords = ReadonlyMap<string, UserRecord>;

/** Reads the users of a tokens file. Throws `StoreFileError` when it can't be used. */
export async function readUserRecords(path: string): Promise<UserRecords> {
  const { bytes } = await readContent(path);
  return parse(path, bytes).records;
}

/**
 * Edits a tokens file: under a lock, so that the edits of several processes
 * follow one another, and at once, so that whoever reads it meanwhile finds the
 * old file or the new one. The order of users, indent, ends of lines, byte
 * order mark, mode, owner and symlinks stay as they are.
 *
 * @param path The tokens file.
 * @param decide Is given the users, and gives the edits, made one after another.
 * @throws {StoreFileError} When the file can't be used as it is.
 * @throws {Error} When it can't be locked or written.
 */
export async function editTokensFile(
  path: string,
  decide: (users: UserRecords) => readonly Edit[],
): Promise<void> {
  await readContent(path); // says better what is wrong than a lock does
  await withLock(path, async (assertHeld) => {
    const { bytes } = await readContent(path);
    const { text, records } = parse(path, bytes);
    let edited = text;
    for (const edit of decide(records)) edited = apply(edited, edit);
    if (edited === text) return;
    const mark = bytes[0] === 0xef ? "\uFEFF" : "";
    const written = new TextEncoder().encode(mark + edited);
    parseTokens(path, written);
    await replaceFile(path, written, assertHeld);
  });
}

function parse(
  path: string,
  bytes: Uint8Array,
): { text: string; records: UserRecords } {
  parseTokens(path, bytes);
  const text = new TextDecoder().decode(bytes);
  const entries = Object.entries<UserRecord>(JSON.parse(text));
  const records = new Map(entries.filter(([user]) => user !== "$schema"));
  return { text, records };
}

function apply(text: string, { path, value }: Edit): string {
  const isArrayInsertion = path.at(-1) === -1;
  const formattingOptions = findFormat(text);
  return applyEdits(
    text,
    modify(text, path, value, { isArrayInsertion, formattingOptions }),
  );
}

/** How a text is indented, so that what is added looks like the rest. */
function findFormat(text: string): FormattingOptions {
  const [, indent = "  "] = /\n([ \t]+)"/.exec(text) ?? [];
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
