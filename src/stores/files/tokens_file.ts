import { type Edit, modify } from "jsonc-parser";
import {
  UserList,
  type UserRecord,
  type UserRecords,
  type UserUpdate,
} from "../catalog/user.ts";
import { parseJson } from "./json.ts";
import { readFile } from "./read_file.ts";
import { rewriteFile } from "./rewrite_file.ts";

/** The text of a tokens file and its users. */
interface TokensFile {
  readonly text: string;
  readonly users: UserList;
}

/**
 * Parses and validates a tokens file.
 *
 * @throws {StoreFileError} If the file is invalid.
 */
export async function parseTokens(
  path: string,
  bytes: Uint8Array,
): Promise<TokensFile> {
  const users = new UserList();
  const text = await parseJson(path, bytes, {
    isArray: false,
    expected: "expected an object of users keyed by name",
    add: (user, record, problems) =>
      users.add(`${user}`, record, problems, path),
  });
  return { text, users };
}

/**
 * Reads the users from a tokens file.
 *
 * @throws {StoreFileError} If the file is missing or invalid.
 */
export async function readUserRecords(path: string): Promise<UserRecords> {
  const { users } = await parseTokens(path, await readFile(path));
  return users.records;
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
    const old = await readFile(path);
    const { text, users: { records } } = await parseTokens(path, old);
    const edited = replaceUser(text, name, update(records.get(name)));
    const byteOrderMark = old[0] === 0xef ? "\uFEFF" : "";
    const bytes = new TextEncoder().encode(byteOrderMark + edited);
    await parseTokens(path, bytes); // never write an invalid file
    return bytes;
  });
}

/** Changes the text of a file. The formatter of jsonc-parser takes quadratic time. */
function replaceUser(
  text: string,
  name: string,
  user: UserRecord | undefined,
): string {
  const [edit] = modify(text, [name], user, {}) as [Edit];
  const { offset, length } = edit;
  const replace = (content: string) =>
    text.slice(0, offset) + content + text.slice(offset + length);
  if (!user) return replace("").replace(/^(\s*\{)\s*(\}\s*)$/, "$1$2");

  const isEmpty = /^\s*\{\s*\}\s*$/.test(text);
  // Keep a single-line file on one line.
  if (!isEmpty && !text.includes("\n")) return replace(edit.content);
  const [indent = "  "] = [...text.matchAll(/(?<=\n)[ \t]+(?=")/g)]
    .flat().sort((a, b) => a.length - b.length);
  const lineBreak = `${text.includes("\r\n") ? "\r\n" : "\n"}${indent}`;
  // JSON.stringify() indents by at most 10 characters.
  const value = JSON.stringify(user, null, 1)
    .replace(/\n( *)/g, (_, { length }) => lineBreak + indent.repeat(length));
  if (edit.content.startsWith("{")) return replace(value);
  const property = `${lineBreak}${JSON.stringify(name)}: ${value}`;
  if (!isEmpty) return replace(`,${property}`);
  const end = lineBreak.slice(0, -indent.length);
  return text.replace(/\{\s*\}/, () => `{${property}${end}}`);
}
