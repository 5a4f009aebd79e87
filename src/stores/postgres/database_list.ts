import type { Plant } from "../../core/domain/plant.ts";
import { StoreUnavailableError } from "../../core/domain/store.ts";
import {
  MAX_ID,
  MIN_ID,
  type Page,
  type Range,
  selectPage,
  type UserRow,
} from "./queries.ts";
import type { Transaction } from "./transaction.ts";

/** The maximum number of plants of a page: about those of a short list. */
const PAGE_SIZE = 1_000;

/** The maximum number of plants that a page reads to find those with each tag or name. */
const MAX_READ = 10_000;

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
    const range = this.#firstRange();
    const text = selectPage(this.#user.digest!, range);
    const page = await this.#database.readPage(this.#user.version, text);
    const plants = this.#readPlants(page);
    const isWhole = page.count < range.max || range.max === this.#limit;
    return isWhole && plants.length + 2 <= max ? `[${plants}]` : undefined;
  }

  async *encodeLong(): AsyncGenerator<string> {
    const transaction = this.#database.enterTransaction(this.#user.version);
    try {
      yield* this.#readAll(transaction);
    } finally {
      transaction.leave();
    }
  }

  /** Reads all pages from a transaction. */
  async *#readAll(transaction: Transaction): AsyncGenerator<string> {
    let range = this.#firstRange();
    /** The number of ids among which a page of plants is expected. */
    let span = 0n;
    for (let rest = this.#limit; rest > 0;) {
      const text = selectPage(this.#user.digest!, range);
      const [page] = await transaction.query<Page>(text);
      const plants = this.#readPlants(page!);
      if (plants !== "") yield plants;
      const { first, last, count, isMore } = page!;
      rest -= count;
      const isFull = count === range.max;
      if (!isFull && !isMore) return;
      if (isFull) span = BigInt(last!) - BigInt(first!) + 1n;
      else if (count < range.max / 8) span *= 8n;
      const after = isFull ? BigInt(last!) : range.to;
      const to = after + span < MAX_ID ? after + span : MAX_ID;
      range = { after, to, max: Math.min(rest, PAGE_SIZE) };
    }
  }

  /** Returns the range of the first page. */
  #firstRange(): Range {
    const perTerm = Math.ceil(MAX_READ / Math.max(this.#user.terms, 1));
    const max = Math.min(this.#limit, PAGE_SIZE, perTerm);
    return { after: MIN_ID, to: MAX_ID, max };
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
