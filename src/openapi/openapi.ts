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
import type { Resource, ResourceResponse } from "../core/http/resource.ts";
import { writeDocument } from "./write.ts";

const HEADERS = { "Content-Type": "application/json" };

/**
 * Serves the OpenAPI 3.1 document at `/openapi.json`. The server URL in the
 * document is the `publicUrl` option, or else comes from the request. The examples
 * are from the demo data.
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
export const openapi: Resource = ({ baseUrl }): ResourceResponse => (
  { headers: HEADERS, text: writeDocument(baseUrl) }
);
