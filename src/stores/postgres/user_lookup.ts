import { isDataError } from "./connection.ts";
import type { UserRow } from "./queries.ts";

/**
 * Returns a function that finds the user with a token by its digest. Requests share the
 * next query, not the running one, which may have missed a change that was committed
 * before. So there is only one query at a time, for any number of requests, unless the
 * data of one user makes it fail.
 *
 * @param read Reads the users of several tokens.
 */
export function createUserLookup(
  read: (digests: readonly string[]) => Promise<readonly UserRow[]>,
): (digest: string) => Promise<UserRow | undefined> {
  type Users = ReadonlyMap<string | null, UserRow>;
  let digests = new Set<string>();
  let next: Promise<Users> | undefined;
  let idle: Promise<unknown> = Promise.resolve();

  async function find(digests: readonly string[]): Promise<Users> {
    return new Map((await read(digests)).map((user) => [user.digest, user]));
  }

  async function readNext(): Promise<Users> {
    await idle;
    const running = find([...digests]);
    digests = new Set();
    next = undefined;
    idle = running.catch(() => {});
    return running;
  }

  return async (digest) => {
    digests.add(digest);
    next ??= readNext();
    const users = await next.catch((error) => {
      if (isDataError(error)) return find([digest]);
      throw error;
    });
    return users.get(digest);
  };
}
