import {
  type Behavior,
  BehaviorSchema,
  MAX_DELAY,
  parseFailures,
} from "./catalog/behavior_schema.ts";
import { chooseDelay, type Delay, parseDelay } from "../domain/delay.ts";
import { andThen } from "../domain/maybe_promise.ts";
import { readOptions } from "../domain/options.ts";
import type { Snapshot } from "./catalog/snapshot.ts";
import {
  checkStore,
  type PlantStore,
  StoreUnavailableError,
  type Viewer,
} from "../domain/store.ts";
import { parseUsers } from "./catalog/parse.ts";

/** Options for {@linkcode withBehavior}. */
export interface BehaviorOptions {
  /**
   * Returns a number from 0 (inclusive) to 1 (exclusive). Pass a seeded generator
   * to get reproducible delays and failures. Default: `Math.random`.
   */
  readonly random?: () => number;
}

/**
 * Wraps a store so that some users' lists are delayed or fail on purpose. A list
 * that fails throws a {@linkcode StoreUnavailableError}, and the handler responds
 * with 503. All other responses stay the same.
 *
 * For a pattern such as `2/3`, the returned store counts the lists of each token,
 * for the 1,000 most recently used tokens.
 *
 * @param store The store.
 * @param users The behavior of users, by the name of the user.
 * @returns A store that authenticates the same tokens.
 * @throws {TypeError} If the store has no `authenticate`, or a behavior or an option
 * is invalid.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore, withBehavior } from "plant-store";
 *
 * const store = createMemoryStore({
 *   plants: [{ name: "Monstera deliciosa", tag: "vine" }],
 *   users: { curator: { plants: "all", tokens: ["s3cret"] } },
 * });
 * const flaky = withBehavior(store, { curator: { fail: "2/3" } });
 * const handler = createHandler(flaky);
 *
 * const statuses: number[] = [];
 * for (let attempt = 1; attempt <= 4; attempt++) {
 *   const response = await handler("/plants", {
 *     headers: { authorization: "Bearer s3cret" },
 *   });
 *   statuses.push(response.status);
 * }
 * console.log(statuses); // [503, 503, 200, 503]
 * ```
 */
export function withBehavior(
  store: PlantStore,
  users: Readonly<Record<string, Behavior>>,
  options: BehaviorOptions = {},
): PlantStore {
  checkStore(store);
  const behaviors = parseUsers(BehaviorSchema, users);
  const behave = createBehave(readOptions(options, { random: "function?" }));
  return {
    authenticate: (token) =>
      andThen(
        store.authenticate(token),
        (viewer) => viewer && behave(viewer, token, behaviors.get(viewer.user)),
      ),
    ...store.ready && { ready: () => store.ready!() },
  };
}

/**
 * Returns a function that authenticates in the current snapshot and applies the
 * behavior of its users. It counts across replacements of the snapshot.
 */
export function applyBehavior(
  authenticate: Snapshot["authenticate"],
): (token: string) => Viewer | undefined {
  const behave = createBehave();
  return (token) => {
    const viewer = authenticate(token);
    return viewer && behave(viewer, token, viewer.behavior);
  };
}

/** The maximum number of tokens to count lists for. */
const MAX_TOKENS = 1_000;

/** Returns a function that applies a behavior to the viewer for a token. */
function createBehave({ random = Math.random }: BehaviorOptions = {}) {
  /**
   * The number of lists requested with each token, the least recently used first.
   * No other state makes a response depend on previous requests.
   */
  const counts = new Map<string, number>();

  function isFailure(fail: string, token: string): boolean {
    const { count, of } = parseFailures(fail)!;
    if (of === undefined) return random() < count / 100;
    const position = (counts.get(token) ?? 0) % of;
    counts.delete(token); // so that the token moves to the end of the map
    counts.set(token, position + 1);
    if (counts.size > MAX_TOKENS) counts.delete(counts.keys().next().value!);
    return position < count;
  }

  function wait(delay: Delay): Promise<void> {
    const duration = chooseDelay(parseDelay(delay, MAX_DELAY)!, random);
    return new Promise((resolve) => setTimeout(resolve, duration));
  }

  return (viewer: Viewer, token: string, behavior: Behavior = {}): Viewer => {
    const { delay, fail } = behavior;
    if (delay === undefined && fail === undefined) return viewer;
    return {
      user: viewer.user,
      async list(limit) {
        // Count before the delay, so that requests fail in the order in which they arrive.
        const isFailing = fail !== undefined && isFailure(fail, token);
        if (delay !== undefined) await wait(delay);
        if (isFailing) throw new StoreUnavailableError("Fails on purpose");
        return await viewer.list(limit);
      },
    };
  };
}
