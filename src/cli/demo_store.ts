import plants from "../../data/plants.json" with { type: "json" };
import users from "../../data/tokens.json" with { type: "json" };
import { ProblemList } from "../stores/catalog/schema.ts";
import { createSnapshot } from "../stores/catalog/snapshot.ts";
import type { PlantStore } from "../domain/store.ts";
import { UserList } from "../stores/catalog/user.ts";
import { applyBehavior } from "../stores/behavior.ts";
import { digest } from "../stores/digest.ts";

/** Opens a store with the built-in demo data. */
export function openDemoStore(): PlantStore {
  const list = new UserList();
  for (const [user, record] of Object.entries(users)) {
    list.add(user, record, new ProblemList());
  }
  const snapshot = createSnapshot(plants, list.credentials, { keyOf: digest });
  const loaded = new Date();
  return {
    authenticate: applyBehavior(snapshot.authenticate),
    ready: () => ({ loaded }),
  };
}
