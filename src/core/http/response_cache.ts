import type { View } from "../domain/snapshot.ts";
import type { ServiceResponse } from "./response.ts";

/** The maximum size of the cache, in bytes. */
const MAX_BYTES = 16_000_000;

/** The assumed size of a view, and of a response without its body, in bytes. */
const ENTRY_BYTES = 4_000;

/**
 * Caches responses with short lists that never change. Selecting, encoding, and hashing
 * 20 plants takes 6 µs instead of 1 µs. A new snapshot has new views, and starts without
 * responses.
 */
export class ResponseCache {
  #views = new WeakMap<View, Map<number, ServiceResponse>>();
  #bytes = 0;

  /** Returns the response for a view and a limit, if it is cached. */
  get(view: View, limit: number): ServiceResponse | undefined {
    return this.#views.get(view)?.get(limit);
  }

  /**
   * Caches a response, unless it is the first of its view: if thousands of users take
   * turns, their lists would be removed before they are requested again.
   */
  add(view: View, limit: number, response: ServiceResponse): void {
    if (this.#bytes > MAX_BYTES) {
      this.#views = new WeakMap();
      this.#bytes = 0;
    }
    this.#bytes += ENTRY_BYTES;
    const responses = this.#views.get(view);
    if (!responses) this.#views.set(view, new Map());
    else {
      this.#bytes += response.body!.length;
      responses.set(limit, { ...response, prepared: {} });
    }
  }
}
