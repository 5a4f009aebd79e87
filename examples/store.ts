import { createMemoryStore } from "plant-store";

/** The store that all examples use. Replace it with your own. */
export const store = createMemoryStore({
  plants: [
    { name: "Monstera deliciosa", tag: "vine" },
    { name: "Nephrolepis exaltata", tag: "fern" },
    { name: "Rosa canina", tag: "flower" },
  ],
  users: {
    curator: { plants: "all", tokens: ["demo-curator"] },
    florist: { plants: { tags: ["flower"] }, tokens: ["demo-florist"] },
  },
});
