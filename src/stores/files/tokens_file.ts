import { Credentials } from "../../core/domain/credentials.ts";
import { USERS_FORM } from "../../core/domain/user.ts";
import { parseJson } from "./json.ts";

/**
 * Parses and validates a tokens file.
 *
 * @throws {StoreFileError} If the file is invalid.
 */
export async function parseTokens(
  path: string,
  bytes: Uint8Array,
): Promise<Credentials> {
  const credentials = new Credentials();
  await parseJson(path, bytes, {
    isArray: false,
    expected: `expected ${USERS_FORM}`,
    add: (name, record, problems) =>
      credentials.add(`${name}`, record, problems),
  });
  return credentials;
}
