import { type Behavior, BehaviorSchema } from "../domain/behavior.ts";
import { quote } from "../internal/quote.ts";
import { checkStore, type PlantStore, type User } from "../domain/store.ts";
import { listUsers } from "../domain/user.ts";
import { parse } from "../internal/parse.ts";

const FORM = 'an object such as {"florist": {"delay": "200-800"}}';

/**
 * Wraps a store to delay some users' requests, or to simulate failures. All other
 * responses stay the same.
 *
 * @param store The store.
 * @param users The behavior of users, by the `name` of the user, not by token. Other
 * names have no effect, because a store does not list its users.
 * @param defaults What applies to users whose own behavior does not set it.
 * @returns A store that authenticates the same tokens.
 * @throws {TypeError} If the store has no `authenticate`, or a behavior is invalid.
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
  defaults: Behavior = {},
): PlantStore {
  checkStore(store);
  const behaviors = new Map(
    listUsers(users, FORM).map(([user, behavior]) => [
      user,
      parse(BehaviorSchema, behavior, `users[${quote(user)}]`),
    ]),
  );
  const base = parse(BehaviorSchema, defaults, "defaults");
  const isBaseEmpty = Object.keys(base).length === 0;

  function change(user: User): User {
    const own = behaviors.get(user.name);
    if (!own && isBaseEmpty) return user;
    return {
      name: user.name,
      behavior: { ...base, ...user.behavior, ...own },
      list: (limit) => user.list(limit),
    };
  }

  return {
    async authenticate(token) {
      const user = await store.authenticate(token);
      return user && change(user);
    },
    ...store.ready && { ready: () => store.ready!() },
  };
}
