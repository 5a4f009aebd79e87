import {
  createMemoryStore,
  type HandlerOptions,
  type PlantStore,
  StoreUnavailableError,
} from "../../mod.ts";
import { openapi } from "../../src/openapi/openapi.ts";
import { ACCESS, type Case, PLANTS, type Setup } from "./cases.ts";
import { tellRuntime } from "./runtime.ts";

// This runs where there is no file system too.

/** How the handler of a set-up is made. */
export const OPTIONS: Readonly<Record<Setup, HandlerOptions>> = {
  open: {},
  documented: { openapi },
  based: { basePath: "/api/v1", openapi },
  listed: { cors: ["https://a.example", "http://localhost:3000"] },
  closed: { cors: "off" },
  broken: { onError() {} },
  away: {},
};

/** Whether a case asks for the path of the plants, written as the document has it. */
export function asksForPlants(
  { setup = "open", target = "/plants" }: Case,
): boolean {
  return target.split("?")[0] === `${OPTIONS[setup].basePath ?? ""}/plants`;
}

/** The store of the contract in memory. */
export function openMemory(): PlantStore {
  const users = Object.entries(ACCESS).map((
    [token, plants],
  ) => [token, { plants, tokens: [token] }]);
  return tellRuntime(createMemoryStore({
    plants: PLANTS,
    users: Object.fromEntries(users),
  }));
}

/** A store that can't list, because of `error`: at once, or later for the token `later`. */
export function failing(error: Error): PlantStore {
  return {
    authenticate(token) {
      if (token === "later") return Promise.reject(error);
      return { user: "all", list: () => Promise.reject(error) };
    },
    ready() {
      throw error;
    },
  };
}

/** The stores of the set-ups where no plants are listed. */
export const FAILING: Partial<Record<Setup, PlantStore>> = {
  broken: failing(new Error("secret detail")),
  away: failing(new StoreUnavailableError("secret detail")),
};

/** The store of a set-up, in memory. */
export function openStore(setup: Setup): PlantStore {
  return FAILING[setup] ?? openMemory();
}
