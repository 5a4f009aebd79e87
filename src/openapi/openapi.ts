/**
 * The OpenAPI document, for the `openapi` option of a handler.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore } from "plant-store";
 * import { openapi } from "plant-store/openapi";
 *
 * const store = createMemoryStore({ plants: [], users: {} });
 * const handler = createHandler(store, { openapi });
 *
 * const response = await handler(new Request("http://localhost/openapi.json"));
 * const { openapi: version, servers } = await response.json();
 * console.log(version); // "3.1.0"
 * console.log(servers); // [{ url: "http://localhost" }]
 * ```
 *
 * @module
 */
import type { PlantStore } from "../core/domain/store.ts";
import {
  createDocument,
  type Resource,
  type ResourceResponse,
} from "../core/http/resource.ts";
import { EXAMPLE, writeDocument } from "./write.ts";

const HEADERS = { "Content-Type": "application/json" };

/**
 * Serves the OpenAPI 3.1 document at `/openapi.json`. The server URL in the
 * document is the `publicUrl` option, or else comes from the request. The document
 * describes the demo data if the store returns it.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore } from "plant-store";
 * import { openapi } from "plant-store/openapi";
 *
 * const handler = createHandler(
 *   createMemoryStore({ plants: [], users: {} }),
 *   { openapi, publicUrl: "https://plants.example/v1" },
 * );
 * const response = await handler(new Request("http://localhost/openapi.json"));
 * const { servers } = await response.json();
 * console.log(servers); // [{ url: "https://plants.example/v1" }]
 * ```
 */
export const openapi: Resource = async (
  { baseUrl, store },
): Promise<ResourceResponse> => {
  const isDemo = await hasDemoData(store).catch(() => false);
  return createDocument(HEADERS, writeDocument(baseUrl, isDemo));
};

/** Whether the store returns the example in the document. */
async function hasDemoData(store: PlantStore): Promise<boolean> {
  const user = await store.authenticate("demo-florist");
  const plants = await user?.list(EXAMPLE.length);
  return JSON.stringify(plants) === JSON.stringify(EXAMPLE);
}
