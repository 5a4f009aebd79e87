import {
  createMemoryStore,
  type HandlerOptions,
  type PlantStore,
} from "../../mod.ts";
import { openapi } from "../../src/openapi/openapi.ts";
import { type Case, PLANTS, type Setup, USERS } from "./all_cases.ts";
import { addRuntime } from "./runtime.ts";

// Also runs on platforms without a file system.

/** The options of each setup. */
export const OPTIONS: Readonly<Record<Setup, HandlerOptions>> = {
  open: {},
  based: { basePath: "/api/v1", openapi },
};

/** Whether a case requests `/plants`, spelled as in the OpenAPI document. */
export function asksForPlants(
  { setup = "open", request: { target = "/plants" } }: Case,
): boolean {
  return target.split("?")[0] === `${OPTIONS[setup].basePath ?? ""}/plants`;
}

/** Opens the store of the contract in memory. */
export function openMemory(): PlantStore {
  return addRuntime(createMemoryStore({ plants: PLANTS, users: USERS }));
}
