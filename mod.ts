/**
 * A sample HTTP API that lists the plants that a bearer token gives access to, as a
 * handler that takes a `Request` and returns a promise for a `Response`. It runs on
 * every platform that implements the Fetch standard, and imports no `node:` modules.
 *
 * @example
 * ```ts
 * import { createDemoStore, createHandler } from "plant-store";
 *
 * const handler = createHandler(createDemoStore(), { basePath: "/api" });
 *
 * const response = await handler("/api/plants?limit=1", {
 *   headers: { authorization: "Bearer demo-florist" },
 * });
 * console.log(await response.json());
 * // [{ name: "Monstera deliciosa", tag: "vine" }]
 * ```
 *
 * @module
 */
export { createHandler, type Handler } from "./src/core/handler.ts";
export type { ResponseEvent } from "./src/core/http/response_event.ts";
export type { HandlerOptions } from "./src/core/http/handler_options.ts";
export type {
  Resource,
  ResourceContext,
  ResourceResponse,
} from "./src/core/http/resource.ts";
export type { ErrorBody } from "./src/core/http/response.ts";
export type { Access } from "./src/core/domain/access.ts";
export type {
  Behavior,
  Delay,
  FailureStatus,
} from "./src/core/domain/behavior.ts";
export type { MaybePromise } from "./src/core/internal/maybe_promise.ts";
export type { Plant } from "./src/core/domain/plant.ts";
export type { Token, UserRecord } from "./src/core/domain/user.ts";
export {
  type PlantList,
  type PlantStore,
  type Readiness,
  StoreUnavailableError,
  type User,
} from "./src/core/domain/store.ts";
export { withBehavior } from "./src/core/stores/with_behavior.ts";
export { createDemoStore } from "./src/core/stores/demo.ts";
export {
  createMemoryStore,
  type MemoryStore,
  type MemoryStoreContent,
} from "./src/core/stores/memory.ts";
