import { UserList } from "../../domain/user.ts";
import { parseJson } from "./json.ts";

/**
 * Parses and validates a tokens file.
 *
 * @throws {StoreFileError} If the file is invalid.
 */
export async function parseTokens(
  path: string,
  bytes: Uint8Array,
): Promise<UserList> {
  const users = new UserList();
  await parseJson(path, bytes, {
    isArray: false,
    expected:
      'expected an object such as {"florist": {"plants": "all", "tokens": []}}',
    add: (user, record, problems) => users.add(`${user}`, record, problems),
  });
  return users;
}
