import {
  applyEdits,
  type Edit,
  format,
  type FormattingOptions,
  modify,
} from "jsonc-parser";
import { readUsers, type UserRecord, type Users } from "../domain/user.ts";
import { createFileError, type JsonFile, parseJson } from "./json.ts";
import { readFile } from "./read_file.ts";
import { rewriteFile } from "./rewrite_file.ts";

/** The users in a tokens file or a database, in order. */
export type UserRecords = ReadonlyMap<string, UserRecord>;

/**
 * Changes a user.
 *
 * @param user The user, or `undefined` if no user has this name.
 * @returns The changed user, or `undefined` to remove the user.
 */
export type UserUpdate = (
  user: UserRecord | undefined,
) => UserRecord | undefined;

/**
 * Validates a tokens file.
 *
 * @throws {StoreFileError} If the file is invalid.
 */
export function parseTokens(path: string, json: JsonFile): Users {
  const users = readUsers(json.value);
  if ("problems" in users) throw createFileError(path, json, users.problems);
  return users;
}

/**
 * Reads the users from a tokens file.
 *
 * @throws {StoreFileError} If the file is missing or invalid.
 */
export async function readUserRecords(path: string): Promise<UserRecords> {
  return (await readTokensFile(path)).users;
}

/**
 * Changes one user in a tokens file without reformatting the rest of the file.
 *
 * @throws {StoreFileError} If the file is missing or invalid, or would become
 * invalid.
 * @throws {Error} If the file cannot be locked or written.
 */
export async function updateUser(
  path: string,
  name: string,
  update: UserUpdate,
): Promise<void> {
  await readFile(path); // these errors are clearer than those from the lock
  await rewriteFile(path, async () => {
    const { text, byteOrderMark, users } = await readTokensFile(path);
    const edited = replaceUser(text, name, update(users.get(name)));
    const bytes = new TextEncoder().encode(byteOrderMark + edited);
    parseTokens(path, parseJson(path, bytes)); // never write an invalid file
    return bytes;
  });
}

async function readTokensFile(
  path: string,
): Promise<{ text: string; byteOrderMark: string; users: UserRecords }> {
  const bytes = await readFile(path);
  const json = parseJson(path, bytes);
  parseTokens(path, json);
  const entries = Object.entries(json.value as Record<string, UserRecord>);
  return {
    text: json.text,
    byteOrderMark: bytes[0] === 0xef ? "\uFEFF" : "",
    users: new Map(entries.filter(([name]) => name !== "$schema")),
  };
}

function replaceUser(
  text: string,
  name: string,
  user: UserRecord | undefined,
): string {
  const edits = modify(text, [name], user, {});
  const edited = applyEdits(text, edits);
  const isEmpty = /^\s*\{\s*\}\s*$/.test(text);
  // Keep a single-line file on one line.
  if (!isEmpty && !text.includes("\n")) return edited;
  const [{ offset, content }] = edits as [Edit];
  const range = isEmpty ? undefined : { offset, length: content.length };
  return applyEdits(edited, format(edited, range, findFormat(text)));
}

/** Detects the indentation and line breaks in a text. */
function findFormat(text: string): FormattingOptions {
  const [, indent = "  "] = /\n([ \t]+)"/.exec(text) ?? [];
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
