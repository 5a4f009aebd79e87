import plants from "../../data/plants.json" with { type: "json" };
import users from "../../data/tokens.json" with { type: "json" };
import { createCatalog } from "../domain/catalog.ts";
import { encodePlants } from "../domain/encoded_plants.ts";
import { createSnapshot } from "../domain/snapshot.ts";
import { runSteps } from "../domain/steps.ts";
import type { PlantStore } from "../domain/store.ts";
import { readUsers, type Users } from "../domain/user.ts";
import { digest } from "../stores/digest.ts";

/** Opens a store with the built-in demo data. */
export function openDemoStore(): PlantStore {
  const catalog = runSteps(createCatalog(encodePlants(plants)));
  const { credentials } = readUsers(users) as Users;
  const snapshot = createSnapshot(catalog, credentials, { keyOf: digest });
  const loaded = new Date();
  return {
    authenticate: (token) => snapshot.authenticate(token),
    ready: () => ({ loaded }),
  };
}
