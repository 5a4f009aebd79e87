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

/** The first `limit` plants of a user, which are read from a database in pages when they are needed. */
export class DatabaseList implements AsyncIterable<Plant> {
  version: string | undefined;
  readonly #readPage: ReadPage;
  readonly #user: UserRow;
  readonly #limit: number;

  constructor(readPage: ReadPage, user: UserRow, limit: number = Infinity) {
    this.version = formatVersion(user);
    this.#readPage = readPage;
    this.#user = user;
    this.#limit = limit;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Plant> {
    for await (const text of this.encode()) yield* JSON.parse(`[${text}]`);
  }

  async *encode(): AsyncGenerator<string> {
    const { digest, terms } = this.#user;
    const share = Math.max(Math.ceil(MAX_READ / terms), MIN_PER_TERM);
    for (let after = MIN_ID, rest = this.#limit; rest > 0;) {
      const max = Math.min(rest, PAGE_SIZE);
      const isFirst = after === MIN_ID;
      const values = [digest, after, max, Math.min(max, share)];
      const page = await this.#readPage(isFirst, ...values);
      this.#check(page, isFirst);
      if (page.plants !== null) yield page.plants;
      if (!page.isMore) return;
      rest -= page.count;
      after = page.last!;
    }
  }

  /** Checks that a page, which can be newer than the user, belongs to this list. */
  #check(page: Page, isFirst: boolean): void {
    if (page.name === null) {
      throw new StoreUnavailableError("The token has just been revoked");
    }
    const version = formatVersion(page);
    if (!isFirst && version !== this.version) {
      throw new StoreUnavailableError("The plants have just changed");
    }
    this.version = version;
  }
}

/** Returns the version of the plants that a user can see. */
function formatVersion({ version, access }: View): string | undefined {
  return version === null ? undefined : `${version} ${access}`;
}
