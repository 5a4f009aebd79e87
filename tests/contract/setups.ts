import {
  createMemoryStore,
  type HandlerOptions,
  type PlantStore,
  StoreUnavailableError,
} from "../../mod.ts";
import { openapi } from "../../src/openapi/openapi.ts";
import { type Case, PLANTS, type Setup, USERS } from "./all_cases.ts";
import { addRuntime } from "./runtime.ts";

// Also runs on platforms without a file system.

/** The options of each setup. */
export const OPTIONS: Readonly<Record<Setup, HandlerOptions>> = {
  open: {},
  documented: { openapi },
  based: { basePath: "/api/v1", openapi },
  listed: { cors: ["https://a.example", "http://localhost:3000"] },
  closed: { cors: "off" },
  broken: { onError() {} },
  unavailable: {},
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

/** Returns a store that fails with `error`, asynchronously for the token `later`. */
export function failing(error: Error): PlantStore {
  return {
    authenticate(token) {
      if (token === "later") return Promise.reject(error);
      return { name: "all", list: () => Promise.reject(error) };
    },
    ready() {
      throw error;
    },
  };
}

/** The stores of the setups that list no plants. */
export const FAILING: Partial<Record<Setup, PlantStore>> = {
  broken: failing(new Error("secret detail")),
  unavailable: failing(new StoreUnavailableError("secret detail")),
};

/** Opens the store of a setup in memory. */
export function openStore(setup: Setup): PlantStore {
  return FAILING[setup] ?? openMemory();
}
