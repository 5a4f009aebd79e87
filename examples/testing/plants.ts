import {
  createHandler,
  createMemoryStore,
  type MemoryStoreContent,
  StoreUnavailableError,
} from "plant-store";

/** What the store contains before each test. */
export const CONTENT: MemoryStoreContent = {
  plants: [{ name: "Rosa canina", tag: "flower" }, { name: "Ginkgo biloba" }],
  users: { florist: { plants: { tags: ["flower"] }, tokens: ["p3tal"] } },
};

/** Tests can replace its plants and users. */
export const store = createMemoryStore(CONTENT);

/** The plant store; replaces `fetch`. */
export const handler = createHandler(store);

/** A plant store that is temporarily unavailable: responds with 503. */
export const unavailable = createHandler({
  authenticate() {
    throw new StoreUnavailableError("closed for a test");
  },
});

/** A plant store that fails: responds with 400 and `"error": 500`. */
export const failing = createHandler({
  authenticate() {
    throw new Error("broken for a test");
  },
}, { onError() {} });
