import type { EncodedList } from "../domain/encoded_list.ts";
import type { ServiceResponse } from "./response.ts";

const MAX_BYTES = 16_000_000;

/** The assumed size of a response without its key and body, in bytes. */
const ENTRY_BYTES = 4_000;

/** Returns a text that identifies the plants of a list, for any user. */
export function createKey({ version, limit }: EncodedList): string | undefined {
  return version === undefined ? undefined : `${limit} ${version}`;
}

type Create = (list: EncodedList) => Promise<ServiceResponse>;

/**
 * Caches responses with short lists by what they are made of. Creating a response with
 * 20 plants takes 6 µs, and returning a cached one 1 µs.
 */
export class ResponseCache {
  /** The cached responses; `undefined` for those that were created once. */
  readonly #responses = new Map<string, ServiceResponse | undefined>();
  /** What other requests can share of the responses that are being created. */
  readonly #running = new Map<string, Promise<ServiceResponse | undefined>>();
  readonly #create: Create;
  #bytes = 0;

  constructor(create: Create) {
    this.#create = create;
  }

  /**
   * Returns a cached response, or creates one. Equal lists that are requested at the same
   * moment, such as after a change, are created once.
   */
  async get(list: EncodedList): Promise<ServiceResponse> {
    const key = createKey(list);
    if (key === undefined) return this.#create(list);
    const cached = this.#responses.get(key);
    if (cached) return cached;
    const running = this.#running.get(key);
    if (running) return await running ?? this.#create(list);

    const created = this.#create(list);
    // Only its own client reads a long list or learns of an error, and a list that has
    // changed can show what others must not see.
    const shared = created.then(
      (response) =>
        response.body && createKey(list) === key ? response : undefined,
      () => undefined,
    );
    this.#running.set(key, shared);
    const response = await shared;
    this.#running.delete(key);
    if (response) this.#add(key, response);
    return created;
  }

  /**
   * Caches a response, unless it is created for the first time: if thousands of users take
   * turns, their lists would be removed before they are requested again.
   */
  #add(key: string, response: ServiceResponse): void {
    if (this.#bytes > MAX_BYTES) {
      this.#responses.clear();
      this.#bytes = 0;
    }
    this.#bytes += ENTRY_BYTES + key.length;
    if (!this.#responses.has(key)) this.#responses.set(key, undefined);
    else {
      this.#bytes += response.body!.length;
      this.#responses.set(key, { ...response, prepared: {} });
    }
  }
}
