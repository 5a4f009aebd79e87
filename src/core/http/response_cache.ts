import type { ServiceResponse } from "./response.ts";

/** The maximum size of the cache, in bytes. */
const MAX_BYTES = 16_000_000;

/** The assumed size of a version, and of a response without its body, in bytes. */
const ENTRY_BYTES = 4_000;

/**
 * Caches responses with short lists that have a version. Creating a response
 * with 20 plants takes 6 µs, and returning a cached one 1 µs.
 */
export class ResponseCache {
  readonly #versions = new Map<string, Map<number, ServiceResponse>>();
  #bytes = 0;

  /** Returns the response for a version and a limit, if it is cached. */
  get(version: string, limit: number): ServiceResponse | undefined {
    return this.#versions.get(version)?.get(limit);
  }

  /**
   * Caches a response, unless it is the first of its version: if thousands of users take
   * turns, their lists would be removed before they are requested again.
   */
  add(version: string, limit: number, response: ServiceResponse): void {
    if (this.#bytes > MAX_BYTES) {
      this.#versions.clear();
      this.#bytes = 0;
    }
    this.#bytes += ENTRY_BYTES;
    const responses = this.#versions.get(version);
    if (!responses) this.#versions.set(version, new Map());
    else {
      this.#bytes += response.body!.length;
      responses.set(limit, { ...response, prepared: {} });
    }
  }
}
