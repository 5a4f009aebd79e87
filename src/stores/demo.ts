import plants from "../../data/plants.json" with { type: "json" };
import users from "../../data/tokens.json" with { type: "json" };
import {
  createMemoryStore,
  type MemoryStore,
  type MemoryStoreContent,
} from "./memory.ts";

/** Creates a store with the built-in demo data. */
export function createDemoStore(): MemoryStore {
  // TypeScript infers only `string` for values such as "all".
  return createMemoryStore({ plants, users } as unknown as MemoryStoreContent);
}
