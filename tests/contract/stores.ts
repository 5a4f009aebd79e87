import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createMemoryStore,
  type HandlerOptions,
  type PlantStore,
  StoreUnavailableError,
} from "../../mod.ts";
import { type FileStore, openFileStore } from "../../src/stores/files.ts";
import { openapi } from "../../src/openapi/openapi.ts";
import { ACCESS, type Case, PLANTS, type Setup } from "./cases.ts";

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
  return createMemoryStore({
    plants: PLANTS,
    users: Object.fromEntries(users),
  });
}

/** The digest of a token as a tokens file has it. */
export function digest(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The store of the contract in two files, which go when it is closed. */
export async function openFiles(): Promise<FileStore> {
  const folder = await mkdtemp(join(tmpdir(), "plant-store-"));
  const users = Object.entries(ACCESS).map(([token, plants]) => {
    const tokens = [{ sha256: digest(token), expires: "2999-01-01" }];
    return [token, { plants, tokens }];
  });
  users.push(["late", {
    plants: "all",
    tokens: [{ sha256: digest("expired"), expires: "2020-01-01" }],
  }]);
  const files = {
    plants: join(folder, "plants.json"),
    tokens: join(folder, "tokens.json"),
  };
  await writeFile(files.plants, JSON.stringify(PLANTS));
  await writeFile(files.tokens, JSON.stringify(Object.fromEntries(users)));
  const store = await openFileStore(files);
  return {
    ...store,
    async close() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** A store that can't list, because of `error`: at once, or later for the token `later`. */
export function failing(error: Error): PlantStore {
  return {
    view(token) {
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
