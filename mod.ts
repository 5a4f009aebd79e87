/**
 * The plant store as a library: a handler that takes a `Request` and returns a
 * promise for a `Response`, and an in-memory store. It runs on every platform
 * that implements the Fetch standard and imports no `node:` modules.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore } from "plant-store";
 *
 * const store = createMemoryStore({
 *   plants: [{ name: "Monstera deliciosa", tag: "vine" }],
 *   users: { curator: { plants: "all", tokens: ["s3cret"] } },
 * });
 * const handler = createHandler(store, { basePath: "/api" });
 *
 * const response = await handler(new Request("http://localhost/api/healthz"));
 * console.log(await response.json()); // { status: "ok" }
 * ```
 *
 * @module
 */
export { createHandler, type Handler } from "./src/http/handler.ts";
export type { ResponseEvent } from "./src/http/events.ts";
export type { HandlerOptions } from "./src/http/options.ts";
export type {
  Resource,
  ResourceContext,
  ResourceResponse,
} from "./src/http/resource.ts";
export { type ErrorBody, ErrorSchema } from "./src/http/response.ts";
export type { Access } from "./src/domain/access.ts";
export { AccessSchema } from "./src/domain/access_schema.ts";
export type { Behavior, Delay, FailureStatus } from "./src/domain/behavior.ts";
export type { MaybePromise } from "./src/domain/maybe_promise.ts";
export { type Plant, PlantSchema } from "./src/domain/plant.ts";
export { type Token, type User, UserSchema } from "./src/domain/user.ts";
export { PlantsFileSchema } from "./src/domain/plants_schema.ts";
export {
  type PlantStore,
  type Readiness,
  StoreUnavailableError,
  type Viewer,
} from "./src/domain/store.ts";
export { withBehavior } from "./src/stores/behavior.ts";
export {
  createMemoryStore,
  type MemoryStore,
  type MemoryStoreContent,
} from "./src/stores/memory.ts";
