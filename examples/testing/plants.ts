import {
  createHandler,
  createMemoryStore,
  type MemoryStoreContent,
  StoreUnavailableError,
} from "plant-store";

/** The content of the store before each test. */
export const CONTENT: MemoryStoreContent = {
  plants: [{ name: "Rosa canina", tag: "flower" }, { name: "Ginkgo biloba" }],
  users: { florist: { plants: { tags: ["flower"] }, tokens: ["p3tal"] } },
};

/** The store. Tests can replace its plants and users. */
export const store = createMemoryStore(CONTENT);

/** A handler for the store, which tests use in place of `fetch`. */
export const handler = createHandler(store);

/** A plant store that is temporarily unavailable and responds with 503. */
export const unavailable = createHandler({
  authenticate() {
    throw new StoreUnavailableError("closed for a test");
  },
});

/** A plant store that fails and responds with 400 and `"error": 500`. */
export const failing = createHandler({
  authenticate() {
    throw new Error("broken for a test");
  },
}, { onError() {} });
