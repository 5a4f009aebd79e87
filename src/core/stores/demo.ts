import plants from "../../../data/plants.json" with { type: "json" };
import users from "../../../data/tokens.json" with { type: "json" };
import { createMemoryStore, type MemoryStore } from "./memory.ts";

/**
 * Creates a store with the demo data: 198 plants, and users with public tokens,
 * such as `demo-curator`, `demo-slow`, and `demo-expired`.
 *
 * @returns A store that reads no files. `replace` replaces its content.
 *
 * @example
 * ```ts
 * import { createDemoStore, createHandler } from "plant-store";
 *
 * const handler = createHandler(createDemoStore());
 * const response = await handler("/plants?limit=1", {
 *   headers: { authorization: "Bearer demo-curator" },
 * });
 * console.log(await response.json());
 * // [{ name: "Monstera deliciosa", tag: "vine" }]
 * ```
 */
export function createDemoStore(): MemoryStore {
  return createMemoryStore({ plants, users });
}
