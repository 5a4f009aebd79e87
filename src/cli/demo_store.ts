import plants from "../../data/plants.json" with { type: "json" };
import users from "../../data/tokens.json" with { type: "json" };
import { createSnapshot } from "../domain/snapshot.ts";
import type { PlantStore } from "../domain/store.ts";
import { readUsers, type Users } from "../domain/user.ts";
import { digest } from "../stores/digest.ts";

/** Opens a store with the built-in demo data. */
export function openDemoStore(): PlantStore {
  const { credentials } = readUsers(users) as Users;
  const options = { keyOf: digest, sha256: digest };
  const snapshot = createSnapshot(plants, credentials, options);
  const loaded = new Date();
  return {
    authenticate: (token) => snapshot.authenticate(token),
    ready: () => ({ loaded }),
  };
}
