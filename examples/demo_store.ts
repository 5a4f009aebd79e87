import { createMemoryStore, type MemoryStore } from "plant-store";
import plants from "../data/plants.json" with { type: "json" };
import users from "../data/tokens.json" with { type: "json" };

const { florist, visitor, slow, flaky, unavailable } = users;

/** A store with the demo data and its public tokens. */
export const store: MemoryStore = createMemoryStore({
  plants,
  users: {
    curator: { plants: "all", tokens: ["demo-curator"] },
    florist: { plants: florist.plants, tokens: ["demo-florist"] },
    visitor: { plants: visitor.plants, tokens: ["demo-visitor"] },
    slow: {
      plants: "all",
      tokens: ["demo-slow"],
      behavior: slow.behavior,
    },
    flaky: {
      plants: "all",
      tokens: ["demo-flaky"],
      behavior: flaky.behavior,
    },
    unavailable: {
      plants: "all",
      tokens: ["demo-unavailable"],
      behavior: unavailable.behavior,
    },
  },
});
