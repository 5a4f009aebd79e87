import {
  createMemoryStore,
  type MemoryStore,
  type MemoryStoreContent,
} from "plant-store";
import plants from "../data/plants.json" with { type: "json" };
import users from "../data/tokens.json" with { type: "json" };

/** A store with the demo data and its public tokens. */
export const store: MemoryStore = createMemoryStore(
  { plants, users } as unknown as MemoryStoreContent,
);
