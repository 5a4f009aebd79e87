import type { Plant } from "../../core/domain/plant.ts";
import { StoreUnavailableError } from "../../core/domain/store.ts";
import { MIN_ID, type Page, selectPage, type UserRow } from "./queries.ts";
import type { Transaction } from "./transaction.ts";

/** The maximum number of plants of a page: about those of a short list. */
const PAGE_SIZE = 1_000;

/** The number of plants that a page reads for all tags and names of a user, and the minimum for each. */
const MAX_READ = 2_000, MIN_PER_TERM = 10;

/** What lists are read from. */
export interface Database {
  /** Reads a page. Lists with the same version share the query, unless it is `null`. */
  readPage(version: string | null, text: string): Promise<Page>;
  /** Enters a transaction that sees this version, or a newer one, and shares it likewise. */
  enterTransaction(version: string | null): Transaction;
}

/** The first `limit` plants of a user, which are read from a database when they are needed. */
export class DatabaseList implements AsyncIterable<Plant> {
  version: string | undefined;
  readonly #database: Database;
  readonly #user: UserRow;
  readonly #limit: number;

  constructor(database: Database, user: UserRow, limit: number = Infinity) {
    this.version = formatVersion(user);
    this.#database = database;
    this.#user = user;
    this.#limit = limit;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Plant> {
    for await (const text of this.encodeLong()) yield* JSON.parse(`[${text}]`);
  }

  async encodeShort(max: number): Promise<string | undefined> {
    const text = this.#select(MIN_ID, this.#limit);
    const page = await this.#database.readPage(this.#user.version, text);
    const plants = this.#readPlants(page);
    const isWhole = !hasNext(page, this.#limit) || page.count === this.#limit;
    return isWhole && plants.length + 2 <= max ? `[${plants}]` : undefined;
  }

  async *encodeLong(): AsyncGenerator<string> {
    const transaction = this.#database.enterTransaction(this.#user.version);
    try {
      yield* this.#readPages(transaction);
    } finally {
      transaction.leave();
    }
  }

  async *#readPages(transaction: Transaction): AsyncGenerator<string> {
    for (let after = MIN_ID, rest = this.#limit; rest > 0;) {
      const text = this.#select(after, rest);
      const [page] = await transaction.query<Page>(text);
      const plants = this.#readPlants(page!);
      if (plants !== "") yield plants;
      if (!hasNext(page!, rest)) return;
      rest -= page!.count;
      after = BigInt(page!.last!);
    }
  }

  /** Selects up to a page of the next `rest` plants. */
  #select(after: bigint, rest: number): string {
    const max = Math.min(rest, PAGE_SIZE);
    const share = Math.ceil(MAX_READ / this.#user.terms);
    const perTerm = Math.min(max, Math.max(share, MIN_PER_TERM));
    return selectPage(this.#user.digest!, { after, max, perTerm });
  }

  /** Returns the plants of a page, which can be newer than the user. */
  #readPlants(page: Page): string {
    if (page.access === null) {
      throw new StoreUnavailableError("The token has just been deleted");
    }
    this.version = formatVersion(page);
    return page.plants ?? "";
  }
}

/** Returns the version of the plants that a user can see. */
function formatVersion(
  { version, access }: Pick<Page, "version" | "access">,
): string | undefined {
  return version === null ? undefined : `${version} ${access}`;
}

/** Whether there can be more plants after a page of up to `rest`. */
function hasNext({ count, isMore }: Page, rest: number): boolean {
  return isMore || count === Math.min(rest, PAGE_SIZE);
}
