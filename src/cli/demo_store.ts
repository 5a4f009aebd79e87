import plants from "../../data/plants.json" with { type: "json" };
import data from "../../data/tokens.json" with { type: "json" };
import type { PlantStore } from "../domain/store.ts";
import { createMemoryStore } from "../stores/memory.ts";

/** Creates a store with the built-in demo data. The token of each user is `demo-USER`. */
export function createDemoStore(): PlantStore {
  const { $schema: _, ...records } = data;
  const users = Object.entries(records).map(([user, record]) => [
    user,
    { ...record, tokens: [`demo-${user}`] },
  ]);
  return createMemoryStore({ plants, users: Object.fromEntries(users) });
}
