import { UserList } from "../../domain/user.ts";
import { parseJson } from "./json.ts";

/**
 * Parses and validates a tokens file.
 *
 * @throws {StoreFileError} If the file is invalid.
 */
export function parseTokens(
  path: string,
  bytes: Uint8Array,
): UserList {
  const users = new UserList();
  parseJson(path, bytes, {
    isArray: false,
    expected:
      'expected an object such as {"florist": {"plants": "all", "tokens": []}}',
    add: (user, record, problems) => users.add(`${user}`, record, problems),
  });
  return users;
}
