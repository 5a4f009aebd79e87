import { setTimeout as sleep } from "node:timers/promises";
import type { UserRow } from "./queries.ts";

/** The time between attempts to reach an unavailable database. */
const RETRY_MS = 200;

/**
 * Returns a function that finds the user with a token by its digest. Requests share the
 * next query, not the running one, which may have missed a change that was committed
 * before. So there is only one query at a time, for any number of requests.
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

  async function readNext(): Promise<Users> {
    await idle;
    const running = read([...digests]);
    digests = new Set();
    next = undefined;
    idle = running.catch(() => sleep(RETRY_MS));
    return new Map((await running).map((user) => [user.digest, user]));
  }

  return async (digest) => {
    digests.add(digest);
    next ??= readNext();
    return (await next).get(digest);
  };
}
