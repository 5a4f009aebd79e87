import { isSnapshotUser } from "../domain/snapshot.ts";
import type { User } from "../domain/store.ts";
import type { ServiceResponse } from "./response.ts";

/** The maximum size of everything that is kept, in bytes. A larger response is kept alone. */
const MAX_SIZE = 16_000_000;

/** What each list adds to the size, in addition to its body, so that there are at most 1,000. */
const LIST_SIZE = 16_000;

/**
 * Keeps responses with lists, by the user and the limit. Selecting, encoding, and hashing
 * a list takes most of the time of a request: 10 µs instead of 3 µs for 20 plants. Many
 * lists are requested once, so the second request keeps the response. A new snapshot has
 * new users, and starts without responses.
 */
export class KeptResponses {
  /** The responses; `undefined` for a list that was requested once. */
  #kept = new WeakMap<User, Map<number, ServiceResponse | undefined>>();
  #size = 0;

  /** Returns the response for a user and a limit, if it is kept. */
  get(user: User, limit: number = Infinity): ServiceResponse | undefined {
    return this.#kept.get(user)?.get(limit);
  }

  /** Keeps a response if its list is requested again. Returns the response. */
  add(
    user: User,
    limit: number | undefined = Infinity,
    response: ServiceResponse,
  ): ServiceResponse {
    if (!isSnapshotUser(user)) return response; // the next list can be another one
    const isRepeated = this.#kept.get(user)?.has(limit);
    const kept = isRepeated ? { ...response, prepared: {} } : undefined;
    const size = LIST_SIZE + (kept?.body?.length ?? 0);
    if (this.#size + size > MAX_SIZE) {
      this.#kept = new WeakMap();
      this.#size = 0;
    }
    this.#size += size;
    this.#kept.set(user, (this.#kept.get(user) ?? new Map()).set(limit, kept));
    return kept ?? response;
  }
}
