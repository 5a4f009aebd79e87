import type { View } from "../domain/snapshot.ts";
import type { ServiceResponse } from "./response.ts";

/** The maximum size of all kept responses, in bytes. A larger response is kept alone. */
const MAX_SIZE = 16_000_000;

/**
 * The maximum number of lists to remember that were requested once. With 100,000, such
 * lists take 20 % longer, because garbage collection takes longer.
 */
const MAX_SEEN = 1_000;

/**
 * Keeps responses with lists. Selecting, encoding, and hashing a list takes most of the
 * time of a request: 10 µs instead of 3 µs for 20 plants.
 *
 * - What: a response to GET /plants without an error, by the view of the user and by
 *   the limit.
 * - When: for the third request and later ones, because many lists are requested once.
 * - Until: a new snapshot, which has new views, or until all together are too large.
 */
export class KeptResponses {
  #kept = new WeakMap<View, Map<number, ServiceResponse>>();
  #size = 0;
  /** The limits that were requested, by view. */
  #seen = new WeakMap<View, Set<number>>();
  #seenCount = 0;

  /** Returns the response for a view and a limit, if it is kept. */
  get(view: View, limit: number): ServiceResponse | undefined {
    return this.#kept.get(view)?.get(limit);
  }

  /** Keeps a response if the same one has been added before. Returns the response. */
  add(view: View, limit: number, response: ServiceResponse): ServiceResponse {
    if (!this.#isRepeated(view, limit)) return response;
    const size = 1_000 + (response.body?.length ?? 0);
    if (this.#size + size > MAX_SIZE) {
      this.#kept = new WeakMap();
      this.#size = 0;
    }
    this.#size += size;
    const kept = { ...response, prepared: {} };
    this.#kept.set(view, (this.#kept.get(view) ?? new Map()).set(limit, kept));
    return kept;
  }

  #isRepeated(view: View, limit: number): boolean {
    if (this.#seen.get(view)?.has(limit)) return true;
    if (this.#seenCount++ === MAX_SEEN) {
      this.#seen = new WeakMap();
      this.#seenCount = 1;
    }
    this.#seen.set(view, (this.#seen.get(view) ?? new Set()).add(limit));
    return false;
  }
}
