import type { View } from "../domain/snapshot.ts";
import type { PartedBody, ServiceResponse } from "./response.ts";

/** The maximum size of the cache, in bytes. A larger response is cached alone. */
const MAX_BYTES = 16_000_000;

/** The assumed size of an entry without its body, in bytes. It counts for the first and the second request, so that at most 1,000 requests add to the cache. */
const LIST_BYTES = 16_000;

/**
 * Caches responses with lists that never change, by the view of the user and the limit.
 * Selecting, encoding, and hashing a list takes most of the time of a request: 10 µs
 * instead of 3 µs for 20 plants. Many lists are requested once, so the second request
 * caches the response. The first one caches a body in parts, which all clients share. A
 * new snapshot has new views, and starts without responses.
 */
export class ResponseCache {
  /** The responses; `undefined` for a list that was requested once. */
  #responses = new WeakMap<View, Map<number, ServiceResponse | undefined>>();
  /** Weak, because a body refers to the plants of its snapshot. */
  #bodies: WeakRef<PartedBody>[] = [];
  #bytes = 0;

  /** Returns the response for a view and a limit, if there is one and it is cached. */
  get(
    view: View | undefined,
    limit: number = Infinity,
  ): ServiceResponse | undefined {
    return view && this.#responses.get(view)?.get(limit);
  }

  /** Caches a response if it has parts, or if its list is requested again. Returns the response. */
  add(
    view: View,
    limit: number | undefined = Infinity,
    response: ServiceResponse,
  ): ServiceResponse {
    const { body } = response;
    const hasParts = typeof body === "object" && "drop" in body;
    const isCached = hasParts || this.#responses.get(view)?.has(limit);
    const cached = isCached ? { ...response, prepared: {} } : undefined;
    const bytes = LIST_BYTES + (cached?.body?.length ?? 0);
    if (this.#bytes + bytes > MAX_BYTES) this.#clear();
    this.#bytes += bytes;
    const lists = this.#responses.get(view) ?? new Map();
    this.#responses.set(view, lists.set(limit, cached));
    if (hasParts) this.#bodies.push(new WeakRef(body));
    return cached ?? response;
  }

  #clear(): void {
    for (const body of this.#bodies) body.deref()?.drop(); // slow clients still have them
    this.#bodies = [];
    this.#responses = new WeakMap();
    this.#bytes = 0;
  }
}
