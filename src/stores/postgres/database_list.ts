import { ENCODE, type EncodedList } from "../../core/domain/encoded_list.ts";
import type { Plant } from "../../core/domain/plant.ts";
import { StoreUnavailableError } from "../../core/domain/store.ts";
import { MIN_ID, type Page, type UserRow, type View } from "./queries.ts";

/** The maximum number of plants of a page: about those of a short list. */
const PAGE_SIZE = 1_000;

/** The number of plants that a page reads for all tags and names of a user, and the minimum for each. */
const MAX_READ = 2_000, MIN_PER_TERM = 10;

export type ReadPage = (
  isFirst: boolean,
  ...values: readonly unknown[]
) => Promise<Page>;

/** Creates the list of the first `limit` plants of a user, which reads pages when they are needed. */
export function createDatabaseList(
  readPage: ReadPage,
  user: UserRow,
  limit: number = Infinity,
): EncodedList {
  const list = {
    version: formatVersion(user),
    limit,
    [ENCODE]: encode,
    async *[Symbol.asyncIterator](): AsyncGenerator<Plant> {
      for await (const text of encode()) yield* JSON.parse(`[${text}]`);
    },
  };

  async function* encode(): AsyncGenerator<string> {
    const { digest, terms } = user;
    const share = Math.max(Math.ceil(MAX_READ / terms), MIN_PER_TERM);
    for (let after = MIN_ID, rest = limit; rest > 0;) {
      const max = Math.min(rest, PAGE_SIZE);
      const isFirst = after === MIN_ID;
      const values = [digest, after, max, Math.min(max, share)];
      const page = await readPage(isFirst, ...values);
      check(page, isFirst);
      if (page.plants !== null) yield page.plants;
      if (!page.isMore) return;
      rest -= page.count;
      after = page.last!;
    }
  }

  /** Checks that a page, which can be newer than the user, belongs to this list. */
  function check(page: Page, isFirst: boolean): void {
    if (page.name === null) {
      throw new StoreUnavailableError("The token has just been revoked");
    }
    const version = formatVersion(page);
    if (!isFirst && version !== list.version) {
      throw new StoreUnavailableError("The plants have just changed");
    }
    list.version = version;
  }

  return list;
}

/** Returns the version of the plants that a user can see. */
function formatVersion({ version, access }: View): string | undefined {
  return version === null ? undefined : `${version} ${access}`;
}
