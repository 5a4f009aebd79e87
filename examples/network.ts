import type { TestContext } from "node:test";
import { createHandler } from "plant-store";
import { store } from "./store.ts";

const plants = createHandler(store, { basePath: "/api" });

/** Replaces the network with the plant store until the test ends. */
export function replaceNetwork({ mock }: Pick<TestContext, "mock">): void {
  mock.method(globalThis, "fetch", plants);
}
